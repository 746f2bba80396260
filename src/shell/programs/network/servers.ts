import { type ReadOptions, readOptions, valuesOf } from '../../arguments/options.ts'
import { type FileName, namedFiles, type ShellEffect } from '../../vocabulary/effect.ts'
import { isInside, resolvePath } from '../../words/paths.ts'
import { exactText, exactWord, type Word } from '../../words/words.ts'
import type { Program, ProgramCall, ProgramTable } from '../program.ts'

/** Programs that show the files of a folder to whoever asks over the network. */

const PYTHON = 'm= d|directory= b|bind= p|protocol= cgi u I'
const PHP = 'S= t|docroot='
const SERVE = `
  l|listen= p|port= a|address= host= root= h= c= s|single d= o cors interfaces= i= C|cors n|no-clipboard S
  gzip silent version help
`

/** `python3 -m http.server --directory x` */
export function pythonServer({ command, home }: ProgramCall): readonly ShellEffect[] {
  const at = command.args.findIndex((word) => /^-[a-zA-Z]*m$/.test(exactText(word) ?? ''))
  if (at < 0 || !/^(http\.server|SimpleHTTPServer)$/.test(exactText(command.args[at + 1]) ?? '')) return []
  const read = readOptions(command.args.slice(at + 2), PYTHON)
  return shown(valuesOf(read, 'directory').at(-1), valuesOf(read, 'bind').at(-1), command.cwd, home)
}

/** `php -S 0.0.0.0:8000 -t x` */
export function phpServer({ command, home }: ProgramCall): readonly ShellEffect[] {
  const read = readOptions(command.args, PHP)
  const [address] = valuesOf(read, 'S')
  return address === undefined ? [] : shown(valuesOf(read, 'docroot').at(-1), address, command.cwd, home)
}

/** `serve x`, `http-server x`, `caddy file-server --root x`. */
function serving(
  folderOf: (read: ReadOptions) => Word | undefined,
  verb?: string,
): NonNullable<Program['does']> {
  return ({ command: { args, cwd }, home }) => {
    const read = readOptions(args, SERVE)
    if (read.options.some((option) => ['version', 'help'].includes(option.name))) return []
    if (verb !== undefined && exactText(read.operands[0]) !== verb) return []
    const address = valuesOf(read, 'listen', 'address', 'host', 'interfaces', 'i').at(-1)
    return shown(folderOf(read), address, cwd, home)
  }
}

export const SERVERS: ProgramTable = {
  'serve http-server live-server miniserve': { does: serving((read) => read.operands[0]) },
  caddy: { does: serving((read) => valuesOf(read, 'root').at(-1), 'file-server') },
}

/** Below the folder one works in it is development; the home folder holds what nobody means to show. */
function shown(
  folder: Word | undefined,
  address: Word | undefined,
  cwd: string | undefined,
  home: string,
): readonly ShellEffect[] {
  const host = /^(?:\w+:\/\/)?(localhost|127\.[\d.]+)/.exec(exactText(address) ?? '')?.[1]
  return namedFiles(folder ?? exactWord('.'), cwd)
    .filter((file) => isForeign(file, home))
    .map((file): ShellEffect => ({ kind: 'net', direction: 'out', host, file, recursive: true }))
}

function isForeign({ source, cwd }: FileName, home: string): boolean {
  const path = resolvePath(source, { cwd, home })
  if (path === undefined) return false
  return isInside(home, path) || cwd === undefined || !isInside(path, cwd)
}
