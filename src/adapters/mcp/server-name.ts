import { basename } from 'node:path'
import { wordSet } from '../../core/word-list.ts'

/**
 * The default name of a server: from its command or its address. The name that a server gives itself is not
 * used: it could take the name of a server with more rights.
 */
export function serverNameOf(reached: readonly string[]): string {
  const [first = ''] = reached
  if (/^https?:\/\//i.test(first)) return plain(new URL(first).hostname)
  const program = reached.find((word, index) => !word.startsWith('-') && !isLauncher(word, index, reached))
  return plain(basename(program ?? first).replace(/(?<=[^@])@[^@]*$|\.[cm]?[jt]s$|\.py$/g, ''))
}

/** Programs that start other programs, and their subcommands. */
function isLauncher(word: string, index: number, words: readonly string[]): boolean {
  const program = basename(word).replace(/\.exe$|\.cmd$/, '')
  if (LAUNCHERS.has(program)) return true
  return LAUNCHER_WORDS.has(word) && index > 0 && LAUNCHERS.has(basename(words[0] ?? ''))
}

const LAUNCHERS = wordSet(
  'npx npm pnpm yarn bunx bun node deno tsx uv uvx pipx python python3 env docker podman',
)
const LAUNCHER_WORDS: ReadonlySet<string> = new Set(['run', 'exec', 'dlx', 'x', 'tool'])

function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9-]+/g, '_').slice(0, NAME_MAX) || 'server'
}

const NAME_MAX = 64
