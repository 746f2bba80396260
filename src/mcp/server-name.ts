import { basename } from 'node:path'

/**
 * A name for a server that was given none: what its command or its address calls it. A server's own word for itself
 * does not count: it could take the name of one that more is allowed to.
 */
export function serverNameOf(reached: readonly string[]): string {
  const [first = ''] = reached
  if (/^https?:\/\//i.test(first)) return plain(new URL(first).hostname)
  const program = reached.find((word, index) => !word.startsWith('-') && !isLauncher(word, index, reached))
  return plain(basename(program ?? first).replace(/(?<=[^@])@[^@]*$|\.[cm]?[jt]s$|\.py$/g, ''))
}

/** What starts other programs, and the words it takes for that. */
function isLauncher(word: string, index: number, words: readonly string[]): boolean {
  const program = basename(word).replace(/\.exe$|\.cmd$/, '')
  if (LAUNCHERS.has(program)) return true
  return LAUNCHER_WORDS.has(word) && index > 0 && LAUNCHERS.has(basename(words[0] ?? ''))
}

const LAUNCHERS: ReadonlySet<string> = new Set([
  ...['npx', 'npm', 'pnpm', 'yarn', 'bunx', 'bun', 'node', 'deno', 'tsx', 'uv', 'uvx', 'pipx'],
  ...['python', 'python3', 'env', 'docker', 'podman'],
])
const LAUNCHER_WORDS: ReadonlySet<string> = new Set(['run', 'exec', 'dlx', 'x', 'tool'])

function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9-]+/g, '_').slice(0, NAME_MAX) || 'server'
}

const NAME_MAX = 64
