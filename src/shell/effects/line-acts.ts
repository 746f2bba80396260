import { programOf } from '../programs/index.ts'
import type { Program } from '../programs/program.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import type { ActEffect } from '../vocabulary/effect.ts'
import { isLocalHost } from '../words/hosts.ts'
import { exactText } from '../words/words.ts'

/** Acts that a program's words say as a whole: a pattern for all its arguments. */
export function lineActs(command: SimpleCommand): readonly ActEffect[] {
  const program = linesOf(command)
  if (program?.lines === undefined) return []
  const { lines } = program
  const line = lineOf(program, command)
  if (line.length > LINE_MAX) return lines.slice(0, 1).map(([effect]) => ({ ...effect, unsure: TOO_LONG }))
  if (/^(?:-h|--help|help|--version|-V|version|\/\?)$/i.test(line)) return []
  const [found] = lines.find(([, when, unless]) => when.test(line) && unless?.test(line) !== true) ?? []
  return found === undefined || (FROM_ELSEWHERE.has(found.act) && onlyHere(line)) ? [] : [found]
}

/** A wrapper's words are those of the command it starts as well: then the text says them all. */
function lineOf({ wraps }: Program, { name = '', args, fragment }: SimpleCommand): string {
  const words = args.map((word) => (exactText(word) ?? word.source).slice(0, WORD_MAX)).join(' ')
  if (wraps === undefined || !fragment.includes(name)) return words
  const rest = fragment.slice(fragment.indexOf(name) + name.length).trim()
  return rest.length > words.length ? rest.replace(/["']/g, '').slice(0, LINE_MAX) : words
}

/** Acts that are none where every address is of this machine. */
const FROM_ELSEWHERE = new Set(['packages/foreign-code', 'shell/windows-loader'])

/** What is longer than this in one word is text, no option. */
const WORD_MAX = 300
const LINE_MAX = 16_000
const TOO_LONG = 'it has more arguments than are read'

/** `C:\\Windows\\System32\\certutil.exe` without its folder and ending, also where a Unix shell took the backslashes. */
function linesOf({ name = '' }: SimpleCommand): Program | undefined {
  const known = programOf(name)
  if (known?.lines !== undefined || !/[A-Z\\]|\.(?:exe|com|cmd|bat)$/.test(name)) return known
  const last = name.slice(name.lastIndexOf('\\') + 1)
  const bare = last.replace(/\.(?:exe|com|cmd|bat)$/i, '').toLowerCase()
  return programOf(bare.replace(/^[a-z]:windows(?:system32|syswow64)?/, ''))
}

/** Every address in it is of this machine. */
function onlyHere(line: string): boolean {
  const hosts = [...line.matchAll(/https?:\/\/([^/\s:"']+)/gi)].map(([, host]) => host)
  return hosts.length > 0 && hosts.every((host) => isLocalHost(host))
}
