import { knownFiles } from '../expand/line-files.ts'
import { fork, type Shell } from '../expand/state.ts'
import { parse } from '../grammar/parse.ts'
import type { SimpleCommand } from '../vocabulary/command.ts'
import { asSeen, gate } from '../words/gate.ts'
import { printedBy } from './output.ts'
import { walk } from './walk.ts'
import type { Walk } from './walk-state.ts'

/** Every simple command a command line would run, wherever it stands, or why that cannot be told. */
export type Analysis =
  | {
      readonly judged: true
      readonly commands: readonly SimpleCommand[]
      /** Why it is not the text itself that was read, but the text as a person sees it. Never a reason to let it pass. */
      readonly hidden?: string
    }
  | { readonly judged: false; readonly why: string }

/** Reached by counting, never by a clock: the same text always gets the same answer. */
const STEPS_MAX = 20_000

/** Where a command line runs. */
interface Start {
  readonly cwd: string
  readonly home: string
  /** Files whose text is known beforehand, by their path. */
  readonly written?: ReadonlyMap<string, string>
  /** The text of a file on the disk, where there is one. */
  readonly readNow?: ((path: string) => string | undefined) | undefined
}

export function readCommands(text: string, facts: Start): Analysis {
  const refused = gate(text)
  if (refused !== undefined) return { judged: false, why: refused }
  const parsed = parse(text)
  if (!parsed.ok) return { judged: false, why: parsed.why }
  const shell = newShell(facts)
  const job: Walk = {
    found: [],
    functions: [],
    deferred: [],
    status: { why: undefined },
    budget: shell.budget,
    walk,
  }
  const start = { via: [], input: { forms: undefined, piped: false }, codeDepth: 0, calls: [] }
  walk(parsed.tree, shell, start, job)
  for (const run of job.deferred) run()
  // A function nobody called by name may still be run: by a trap, or by what is sourced later.
  for (const each of job.functions) {
    if (!each.called) walk(each.body, fork(each.definedIn), { ...start, via: [`function ${each.name}`] }, job)
  }
  if (shell.budget.left < 0) return { judged: false, why: 'it takes too many steps to follow' }
  if (job.status.why !== undefined) return { judged: false, why: job.status.why }
  return { judged: true, commands: job.found }
}

/**
 * As `readCommands`, but a hidden character does not keep what stands around it from being judged: the text is then read
 * as it is seen, and says so. For whoever stops commands; who lets some pass must not ask here.
 */
export function readAsSeen(text: string, facts: Start): Analysis {
  const analysis = readCommands(text, facts)
  const seen = analysis.judged ? undefined : asSeen(text)
  if (analysis.judged || seen === undefined) return analysis
  const again = readCommands(seen, facts)
  return again.judged ? { ...again, hidden: analysis.why } : analysis
}

function newShell(facts: Start): Shell {
  return {
    cwd: facts.cwd.startsWith('/') ? facts.cwd : undefined,
    mayBeIn: undefined,
    oldFolder: { cwd: undefined },
    // A home nobody told us of must not make `~` an empty word.
    home: facts.home.startsWith('/') ? facts.home : '/root',
    stack: [],
    variables: new Map(),
    positional: undefined,
    functions: new Map(),
    aliases: new Map(),
    files: facts.written === undefined ? new Map() : knownFiles(facts.written),
    readNow: facts.readNow,
    given: undefined,
    exportsAll: false,
    marks: new Map(),
    environment: undefined,
    budget: { left: STEPS_MAX },
    output: printedBy,
  }
}
