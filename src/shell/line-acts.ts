import { FOREIGN_PACKAGES } from './line-acts/foreign-packages.ts'
import { PROTECTION_ACTS } from './line-acts/protection.ts'
import type { LineAct } from './line-acts/row.ts'
import { TRACES_REMOVED } from './line-acts/traces.ts'
import { TUNNELS } from './line-acts/tunnels.ts'
import { WINDOWS_LOADERS } from './line-acts/windows-loaders.ts'
import type { SimpleCommand } from './vocabulary/command.ts'
import type { ActEffect } from './vocabulary/effect.ts'
import { isLocalHost } from './words/hosts.ts'
import { exactText } from './words/words.ts'

/**
 * Acts that a program's words say as a whole: which program, and a pattern for all its arguments. For programs with few
 * such calls, or many programs with one each; what needs more reading has a model in src/shell/models.
 */
const ROWS: ReadonlyMap<string, readonly LineAct[]> = byProgram([
  ...FOREIGN_PACKAGES,
  ...PROTECTION_ACTS,
  ...TRACES_REMOVED,
  ...TUNNELS,
  ...WINDOWS_LOADERS,
])

export function lineActs(command: SimpleCommand): readonly ActEffect[] {
  const name = programOf(command)
  const rows = ROWS.get(name)
  if (rows === undefined) return []
  const line = lineOf(name, command)
  if (line.length > LINE_MAX) return rows.slice(0, 1).map(({ effect }) => ({ ...effect, unsure: TOO_LONG }))
  if (/^(?:-h|--help|help|--version|-V|version|\/\?)$/i.test(line)) return []
  const found = rows.find(({ when, unless }) => when.test(line) && unless?.test(line) !== true)
  if (found === undefined || (FROM_ELSEWHERE.has(found.effect.act) && onlyHere(line))) return []
  return [found.effect]
}

/** A wrapper's words are those of the command it starts as well: then the text says them all. */
function lineOf(name: string, { args, fragment }: SimpleCommand): string {
  const words = args.map((word) => (exactText(word) ?? word.source).slice(0, WORD_MAX)).join(' ')
  if (!WRAPPERS.test(name)) return words
  const rest = fragment.slice(fragment.indexOf(name) + name.length).trim()
  return fragment.includes(name) && rest.length > words.length
    ? rest.replace(/["']/g, '').slice(0, LINE_MAX)
    : words
}

const WRAPPERS = /^(?:npx|bunx|pnpx|uvx|uv|pipx|npm|pnpm|yarn|bun|nix|forfiles|pcalua|psexec(?:64)?)$/

/** Acts that are none where every address is of this machine. */
const FROM_ELSEWHERE = new Set(['packages/foreign-code', 'shell/windows-loader'])

/** What is longer than this in one word is text, no option. */
const WORD_MAX = 300
const LINE_MAX = 16_000
const TOO_LONG = 'it has more arguments than are read'

/** `C:\Windows\System32\certutil.exe` without its folder and ending, also where a Unix shell took the backslashes. */
function programOf({ name = '' }: SimpleCommand): string {
  if (ROWS.has(name)) return name
  const last = name.slice(name.lastIndexOf('\\') + 1)
  const bare = last.replace(/\.(?:exe|com|cmd|bat)$/i, '').toLowerCase()
  return /^[a-z]:windows(?:system32|syswow64)?/.test(bare)
    ? bare.replace(/^[a-z]:windows(?:system32|syswow64)?/, '')
    : bare
}

/** Every address in it is of this machine. */
function onlyHere(line: string): boolean {
  const hosts = [...line.matchAll(/https?:\/\/([^/\s:"']+)/gi)].map(([, host]) => host)
  return hosts.length > 0 && hosts.every((host) => isLocalHost(host))
}

function byProgram(rows: readonly LineAct[]): ReadonlyMap<string, readonly LineAct[]> {
  const table = new Map<string, LineAct[]>()
  for (const row of rows) {
    for (const program of row.programs) table.set(program, [...(table.get(program) ?? []), row])
  }
  return table
}
