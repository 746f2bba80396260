import { createEngine } from '../../app/create-engine.ts'
import type { LoadedPlan } from '../../app/load-plan.ts'
import { loadPacks } from '../../config/compile.ts'
import type { Mode } from '../../core/guard.ts'
import type { Origin } from '../../core/hook.ts'
import { withoutPrograms } from '../history/without-programs.ts'
import { callsFor } from './example-call.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import type { ReadCase } from './read-file.ts'
import { type CaseContext, runCase } from './run-case.ts'
import type { CallConfig, CaseConfig } from './schema.ts'

export interface MutationReport {
  readonly mutants: number
  readonly killed: number
  readonly survived: readonly Survivor[]
  /** Cases that pass only because of a hook that runs a program; they were not used. */
  readonly unused: number
}

/** A change of the policy that no test noticed. */
export interface Survivor {
  readonly id: string
  readonly origin: Origin
  readonly change: string
  /** A case that would have noticed, tried on both. Undefined: none was found. */
  readonly caught?: CaseConfig
}

/** Plays all cases on each mutant. Programs are not run: a hundred mutants would start them a hundred times. */
export async function mutatePolicy(
  cases: readonly ReadCase[],
  context: CaseContext,
  onMutant: (done: number, total: number) => void = () => {},
): Promise<MutationReport> {
  const pure = await withoutPrograms(context.loaded.plan)
  const asLoaded = (plan: LoadedPlan['plan'], engine: LoadedPlan['engine']): CaseContext => ({
    ...context,
    loaded: { plan, engine, maskers: pure.maskers, broken: [] },
  })
  const original = asLoaded(pure.plan, pure.engine)
  const good: ReadCase[] = []
  for (const each of cases) if ((await runCase(each, original)).ok) good.push(each)
  const mutants = mutantsOf(pure.plan, await standardModes())
  const survived: Survivor[] = []
  for (const [index, mutant] of mutants.entries()) {
    onMutant(index, mutants.length)
    const changed = asLoaded(mutant.plan, await createEngine(mutant.plan))
    if (await isNoticed(good, changed)) continue
    const caught = await catching(mutant, original, changed)
    const { id, origin } = mutant.hook
    survived.push({ id, origin, change: mutant.change, ...(caught === undefined ? {} : { caught }) })
  }
  return {
    mutants: mutants.length,
    killed: mutants.length - survived.length,
    survived,
    unused: cases.length - good.length,
  }
}

async function standardModes(): Promise<ReadonlyMap<string, Mode>> {
  const guards = [...(await loadPacks()).values()].flatMap((pack) => pack.guards)
  return new Map(guards.map(({ id, modes }) => [id, modes.standard]))
}

async function isNoticed(cases: readonly ReadCase[], changed: CaseContext): Promise<boolean> {
  for (const each of cases) if (!(await runCase(each, changed)).ok) return true
  return false
}

/** A call that the policy and its mutant decide differently. */
async function catching(
  { hook }: Mutant,
  original: CaseContext,
  changed: CaseContext,
): Promise<CaseConfig | undefined> {
  const agents = hook.actor.agentType
  const agentType = agents?.kind === 'names' ? agents.names[0] : undefined
  const calls = [...callsFor(hook), ...OTHER_CALLS]
  for (const call of calls.map((each) => ({
    ...each,
    ...(agentType === undefined ? {} : { actor: { agentType } }),
  }))) {
    const before = await actualOf(call, original)
    if (before === undefined || before === 'failed') continue
    const config = { ...call, expect: before } as CaseConfig
    const place = { file: '', line: 0, name: 'found' }
    if (!(await runCase({ ...place, config }, changed)).ok) return config
  }
  return undefined
}

/** Harmless calls: what a rule that became too wide would speak to. */
const OTHER_CALLS: readonly CallConfig[] = [
  { command: 'true' },
  { tool: 'Read', input: { file_path: 'README.md' } },
  { tool: 'Write', input: { file_path: 'notes.txt', content: 'x' } },
]

async function actualOf(call: CallConfig, context: CaseContext): Promise<string | undefined> {
  const config = { ...call, expect: 'pass' } as CaseConfig
  return (await runCase({ file: '', line: 0, name: 'try', config }, context)).actual
}
