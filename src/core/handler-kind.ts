import type { HandlerSpec } from './hook.ts'
import { type JsonObject, textAt } from './json.ts'

/**
 * What a way to run a hook says about itself, for everything that must know it before the hook runs: its time, what
 * must be pinned before it may start, its words in reports, and how people write it. Each handler declares it in its
 * `kind.ts`; plans, trust, reports and the configuration ask this, not which handler it is.
 */
export interface HandlerKind {
  /** Time limit of one run, unless the hook sets its own. */
  readonly timeoutMs: number
  /** Whether this hook names a program, a module or an address: such hooks of a project wait for trust. */
  namesCode(run: HandlerSpec): boolean
  /** What it starts, whose files must be pinned. Missing: nothing on this machine. */
  starts?(run: HandlerSpec): StartedCode | undefined
  /** If it starts several things, and still works without one that is not trusted: their command lines. */
  lines?(run: HandlerSpec): readonly string[]
  /** In reports: "at PreToolUse *calls*: https://…". */
  readonly verb: 'runs' | 'calls'
  /** What reports name as started; its lines, if it is several. */
  describe(run: HandlerSpec): readonly string[]
  /** What a person should know before trusting it, one line each. */
  warns?(run: HandlerSpec): readonly string[]
  /** The part of a configuration that such a hook comes from. Reports and coverage count it there. */
  readonly section: 'packs' | 'rules' | 'contracts' | 'hooks'
  /** Its answer depends on the event and the memory alone: the same ones need not be asked twice. */
  readonly isPure?: true
  /** How people write it as `run` in a configuration. Missing: they cannot. */
  readonly written?: RunForm
}

export type KindOf = (run: HandlerSpec) => HandlerKind

export type StartedCode =
  | { readonly kind: 'module'; readonly module: string }
  /** A module whose whole package counts. */
  | { readonly kind: 'package'; readonly module: string }
  | { readonly kind: 'python'; readonly name: string }
  | { readonly kind: 'line'; readonly command: string; readonly args?: readonly string[] }

/** `run: { url: … }`: the keys, and what they become. */
export interface RunForm {
  /** What such a hook is, in one sentence. */
  readonly description: string
  /** The first key is required; it tells this handler from the others, so no other one may start with it. */
  readonly keys: Readonly<Record<string, RunKey>>
  /** A text instead of a mapping that means the first key of this handler; `otherwise`: if it is no other one's. */
  readonly short?: RegExp | 'otherwise'
  /** A mistake that no single key shows. `accepted` says what would be accepted there. */
  mistakeIn?(run: JsonObject): { readonly key: string; readonly accepted: string } | undefined
  /** What is probably not meant: the path below `run`, and a sentence. */
  doubts?(run: JsonObject): readonly { readonly path: readonly string[]; readonly message: string }[]
  /** What the handler gets besides its type. Missing: the keys as they are, and `root`, the folder of the project. */
  read?(run: JsonObject, root: string): JsonObject
}

/** `accepted` says what may stand there, as in "a web address". */
export type RunKey = { readonly description: string } & (
  | { readonly kind: 'text'; readonly accepted: string }
  /** Goes to a program: any text without NUL. */
  | { readonly kind: 'line'; readonly accepted: string }
  | { readonly kind: 'lines'; readonly accepted: string }
  | { readonly kind: 'flag' }
  | { readonly kind: 'choice'; readonly of: readonly [string, ...string[]] }
  | { readonly kind: 'list'; readonly accepted: string; readonly each: TextRule }
  | { readonly kind: 'mapping'; readonly accepted: string; readonly key: TextRule; readonly value: TextRule }
)

/** `not`: words that the pattern accepts and that may still not be written, in small letters. */
export interface TextRule {
  readonly pattern: RegExp
  readonly accepted: string
  readonly not?: { readonly words: ReadonlySet<string>; readonly accepted: string }
}

export function moduleIn(run: HandlerSpec, kind: 'module' | 'package'): StartedCode | undefined {
  const module = textAt(run, 'module')
  return module === undefined ? undefined : { kind, module }
}

export function pythonIn(run: HandlerSpec): StartedCode | undefined {
  const name = textAt(run, 'python')
  return name === undefined ? undefined : { kind: 'python', name }
}

export function lineIn(run: HandlerSpec): StartedCode | undefined {
  const command = textAt(run, 'command')
  if (command === undefined) return undefined
  return { kind: 'line', command, ...(Array.isArray(run.args) ? { args: run.args.map(String) } : {}) }
}

export function typeWords({ type }: HandlerSpec): readonly string[] {
  return [type]
}

export function commandWords(run: HandlerSpec): string {
  const args = Array.isArray(run.args) ? run.args.map((arg) => JSON.stringify(arg)) : []
  return [textAt(run, 'command') ?? textAt(run, 'python') ?? run.type, ...args].join(' ')
}

export function moduleWords(run: HandlerSpec): readonly string[] {
  const name = textAt(run, 'export')
  const module = textAt(run, 'module') ?? run.type
  return [name === undefined ? module : `${module} (${name})`]
}
