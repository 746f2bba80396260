import { wordList } from '../../core/word-list.ts'
import { isTool, type Places } from './paths.ts'
import type { PlainWord } from './plain-command.ts'

/** The commands that an orchestrator may run. */
export interface Whitelist {
  /** Names of the scripts that `uv run` may start. Undefined: any script in a tools folder. */
  readonly scripts?: ReadonlySet<string>
  /** Tools folders that replace the usual ones. */
  readonly toolRoots?: readonly string[]
  /** Whether `ls` is on the list. */
  readonly ls: boolean
  /** Additional commands, each by its first words. */
  readonly commands: readonly (readonly string[])[]
}

const TOOL_VERBS = wordList('session signal verify check-signals agents extract-summary deactivate audit')

/** Undefined if it is on the list. Otherwise the reason why it is not. */
export function whyNotListed(
  words: readonly PlainWord[],
  list: Whitelist,
  places: Places,
): string | undefined {
  const [program, ...args] = words
  if (program === undefined) return 'the program is known only at run time'
  if (list.ls && isSystem(program, 'ls')) return undefined
  const exact = args.filter((word) => word !== undefined)
  if (exact.length < args.length) return 'one of its words is known only at run time'
  if (list.commands.some((start) => start.every((word, index) => words[index] === word))) return undefined
  if (isSystem(program, 'mkdir'))
    return isMakingFolders(exact) ? undefined : 'only `mkdir -p FOLDER` is allowed'
  if (program === 'uv') return whyNoTool(exact, list, places)
  if (program === 'holdpoint') return whyNoVerb(exact)
  if (program === 'npx') return whyNoVerb(withoutNpx(exact))
  return `\`${program}\` is not on the whitelist`
}

/** By name, or by its system path. A file with that name elsewhere is another program. */
function isSystem(program: string, name: string): boolean {
  return [name, `/bin/${name}`, `/usr/bin/${name}`].includes(program)
}

function isMakingFolders(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  const options = (end < 0 ? args : args.slice(0, end)).filter((word) => /^-./.test(word))
  const folders = args.length - options.length - (end < 0 ? 0 : 1)
  const isKnown = (option: string) => /^-[pv]+$|^--(?:parents|verbose)$/.test(option)
  const isParents = (option: string) => option === '--parents' || /^-v*p[pv]*$/.test(option)
  return folders > 0 && options.every(isKnown) && options.some(isParents)
}

/** Options of uv that start no other program and use no other folder. */
const UV_FLAGS =
  /^(?:-q|--quiet|-v|--verbose|--offline|--no-project|--no-sync|--frozen|--locked|--isolated|--no-progress|--no-config|--active|-s|--script)$/

function whyNoTool(
  args: readonly string[],
  { scripts, toolRoots }: Whitelist,
  places: Places,
): string | undefined {
  const [verb, ...rest] = withoutUvFlags(args)
  if (verb !== 'run') return 'only `uv run` with a tool is allowed'
  const [first = '', second = ''] = withoutUvFlags(rest)
  const script = /^python3?$/.test(first) ? second : first
  if (!isTool(script, toolRoots, places)) return `\`${script}\` is not in a tools folder`
  const name = script.slice(script.lastIndexOf('/') + 1)
  return scripts === undefined || scripts.has(name)
    ? undefined
    : `the tool \`${name}\` is not on the whitelist`
}

function withoutUvFlags(args: readonly string[]): readonly string[] {
  let at = 0
  for (let word = args[at]; word !== undefined; word = args[at]) {
    const isVersion = /^(?:-p|--python)$/.test(word) && /^(?:python)?[\d.]+$/.test(args[at + 1] ?? '')
    if (isVersion) at += 2
    else if (UV_FLAGS.test(word) || /^--python=(?:python)?[\d.]+$/.test(word)) at += 1
    else break
  }
  return args.slice(at)
}

function withoutNpx(args: readonly string[]): readonly string[] {
  const at = args.findIndex((word) => !/^(?:-y|--yes|--no|--no-install|-q|--quiet)$/.test(word))
  return args[at] === 'holdpoint' ? args.slice(at + 1) : []
}

function whyNoVerb([command, verb = '']: readonly string[]): string | undefined {
  if (command === 'mux' && TOOL_VERBS.includes(verb)) return undefined
  return `of Holdpoint only \`holdpoint mux\` with ${TOOL_VERBS.join(', ')} is allowed`
}
