import { closeSync, constants, mkdtempSync, openSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { hasProc, procPath } from './proc.ts'

/** A pipe on standard input as a file of its own, so that it can be read without waiting; undefined where none can. */
export function reopenInput(): number | undefined {
  try {
    return openSync(procPath('self', 'fd/0'), constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
}

/** The longest path that an address of a socket has room for, with the zero at its end: 108 bytes, on a Mac 104. */
export function socketPathMax(platform: NodeJS.Platform): number {
  return platform === 'linux' ? 107 : 103
}

/** Where the folders with the links are made. Its path is short on every system, unlike that in TMPDIR. */
const SHORT = '/tmp'

/**
 * Runs `use` with a path for the socket that its address has room for, even if the folder's own path is too long: through
 * the open folder, or through a link to it in a folder with a short path that only this user can enter.
 */
export async function withSocketPath<T>(
  folder: string,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= socketPathMax(process.platform)) return use(path)
  const way = hasProc() ? openFolder(folder) : linkTo(folder)
  try {
    return await use(join(way.path, name))
  } finally {
    way.end()
  }
}

interface Way {
  readonly path: string
  end(): void
}

function openFolder(folder: string): Way {
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
  return { path: procPath('self', `fd/${descriptor}`), end: () => closeSync(descriptor) }
}

/** Nobody else can replace the link: the folder is new and has mode 700. */
function linkTo(folder: string): Way {
  const own = mkdtempSync(join(SHORT, 'holdpoint-'))
  symlinkSync(folder, join(own, 'run'))
  return { path: join(own, 'run'), end: () => rmSync(own, { recursive: true, force: true }) }
}
