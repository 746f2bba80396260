import type { HandlerSpec } from './hook.ts'
import { textAt } from './json.ts'

/**
 * What a way to run a hook says about itself, for everything that must know it before the hook runs: its time, what
 * must be pinned before it may start, and its words in reports. Plans and trust ask this table, not which handler it is.
 */
export interface HandlerKind {
  /** Time limit of one run, unless the hook sets its own. */
  readonly timeoutMs: number
  /** Whether this hook names a program, a module or an address: such hooks of a project wait for trust. */
  namesCode(run: HandlerSpec): boolean
  /** What it starts, whose files must be pinned. Missing: nothing on this machine. */
  starts?(run: HandlerSpec): StartedCode | undefined
  /** In reports: "at PreToolUse *calls*: https://…". */
  readonly verb: 'runs' | 'calls'
  /** What reports name as started; its lines, if it is several. */
  describe(run: HandlerSpec): readonly string[]
}

export type StartedCode =
  | { readonly kind: 'module'; readonly module: string }
  /** A module whose whole package counts. */
  | { readonly kind: 'package'; readonly module: string }
  | { readonly kind: 'python'; readonly name: string }
  | { readonly kind: 'line'; readonly command: string; readonly args?: readonly string[] }

const always = () => true
const never = () => false

/** One row for each folder of src/handlers, and `pack`: the module that guards come from. A gate compares them. */
export const HANDLER_KINDS: Readonly<Record<string, HandlerKind>> = {
  guard: { timeoutMs: 5_000, namesCode: ({ from }) => from !== undefined, verb: 'runs', describe: byType },
  rule: { timeoutMs: 2_000, namesCode: never, verb: 'runs', describe: byType },
  contract: {
    timeoutMs: 2_000,
    namesCode: ({ command }) => command !== undefined,
    starts: lineIn,
    verb: 'runs',
    describe: (run) => commandWords(run).split('\n'),
  },
  command: {
    timeoutMs: 10_000,
    namesCode: always,
    starts: (run) => pythonIn(run) ?? lineIn(run),
    verb: 'runs',
    describe: (run) => [commandWords(run)],
  },
  module: {
    timeoutMs: 2_000,
    namesCode: always,
    starts: (run) => moduleIn(run, 'module'),
    verb: 'runs',
    describe: moduleWords,
  },
  pack: {
    timeoutMs: 5_000,
    namesCode: always,
    starts: (run) => moduleIn(run, 'package'),
    verb: 'runs',
    describe: moduleWords,
  },
  http: {
    timeoutMs: 5_000,
    namesCode: always,
    verb: 'calls',
    describe: (run) => [textAt(run, 'url') ?? run.type],
  },
  callable: { timeoutMs: 2_000, namesCode: always, verb: 'runs', describe: byType },
}

/** A handler that is not in the table is code, and what it starts is read from the usual keys. */
const UNKNOWN: HandlerKind = {
  timeoutMs: 2_000,
  namesCode: always,
  starts: (run) => pythonIn(run) ?? lineIn(run),
  verb: 'runs',
  describe: (run) => [commandWords(run)],
}

export function handlerKind({ type }: HandlerSpec): HandlerKind {
  return (Object.hasOwn(HANDLER_KINDS, type) ? HANDLER_KINDS[type] : undefined) ?? UNKNOWN
}

/** Whether it names a program, a module or an address. */
export function namesCode(run: HandlerSpec): boolean {
  return handlerKind(run).namesCode(run)
}

function moduleIn(run: HandlerSpec, kind: 'module' | 'package'): StartedCode | undefined {
  const module = textAt(run, 'module')
  return module === undefined ? undefined : { kind, module }
}

function pythonIn(run: HandlerSpec): StartedCode | undefined {
  const name = textAt(run, 'python')
  return name === undefined ? undefined : { kind: 'python', name }
}

function lineIn(run: HandlerSpec): StartedCode | undefined {
  const command = textAt(run, 'command')
  if (command === undefined) return undefined
  return { kind: 'line', command, ...(Array.isArray(run.args) ? { args: run.args.map(String) } : {}) }
}

function byType({ type }: HandlerSpec): readonly string[] {
  return [type]
}

function commandWords(run: HandlerSpec): string {
  const args = Array.isArray(run.args) ? run.args.map((arg) => JSON.stringify(arg)) : []
  return [textAt(run, 'command') ?? textAt(run, 'python') ?? run.type, ...args].join(' ')
}

function moduleWords(run: HandlerSpec): readonly string[] {
  const name = textAt(run, 'export')
  const module = textAt(run, 'module') ?? run.type
  return [name === undefined ? module : `${module} (${name})`]
}
