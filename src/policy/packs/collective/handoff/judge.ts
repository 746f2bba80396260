import type { GuardInput } from '../../../../core/guard.ts'
import { checkHandoffWords } from '../../../handoff/checks.ts'
import { findDirective } from '../../../handoff/phrase.ts'
import { isReady } from '../../../handoff/ready.ts'
import { isKnownAgent } from '../agents.ts'
import { type CollectiveOptions, VALIDATOR } from '../options.ts'
import type { Completion } from './completion.ts'
import { endsPhase, isOrchestrator } from './signs.ts'
import { checkpointOf, faultOf, type HandoffStage } from './stages.ts'

/** The result of judging a completion. */
export interface Judgement {
  /** The agent says that its work is ready, so dependencies, tests and build were checked. */
  readonly ready: boolean
  readonly fault?: string
  readonly route?: { readonly to: string; readonly tell: string }
  /** Token, output, state contract and the name of the next agent: these only produce warnings. */
  readonly warnings: readonly string[]
  /** The test command that ran, if any. */
  readonly testedBy?: string
}

export function isCheckpoint({ from, text }: Completion, { exempt }: CollectiveOptions): boolean {
  return text !== undefined && isReady(text) && !exempt.includes(from)
}

export async function judgeCompletion(
  completion: Completion,
  options: CollectiveOptions,
  { facts, ran }: Pick<GuardInput, 'facts' | 'ran'>,
): Promise<Judgement> {
  const { from, text } = completion
  const ready = isCheckpoint(completion, options)
  const words = checkHandoffWords(from, text, facts).faults
  const checkpoint = ready ? await checkpointOf(options, facts) : undefined
  const fault = checkpoint === undefined ? undefined : faultOf(checkpoint, ran)
  const tests = checkpoint === undefined ? {} : testsIn(checkpoint)
  if (fault !== undefined) return { ready, fault, warnings: words, ...tests }
  const route = text === undefined ? undefined : routeOf(completion, text, options)
  const strange = route === undefined || isKnownAgent(route.to, options.agents) ? [] : [unknown(route.to)]
  const isUntested = ready && tests.testedBy === undefined && options.commands.test !== false
  const untested = isUntested ? [UNTESTED] : []
  return {
    ready,
    warnings: [...words, ...strange, ...untested],
    ...tests,
    ...(route === undefined ? {} : { route }),
  }
}

const UNTESTED =
  'No tests were run, because no test command was found. Set the option `test` of the pack collective.'

function unknown(name: string): string {
  return `Unknown agent name: ${name}. The handoff is routed to it anyway.`
}

function testsIn({ stages }: HandoffStage): { readonly testedBy?: string } {
  const test = stages.find(({ stage }) => stage === 'test')
  return test === undefined ? {} : { testedBy: test.duty.run }
}

function routeOf({ from }: Completion, text: string, options: CollectiveOptions): Judgement['route'] {
  if (isOrchestrator(from, options) && endsPhase(text, options)) {
    return { to: VALIDATOR, tell: `${from} has completed a phase. ${VALIDATE}` }
  }
  const directive = findDirective(text, options.routeForms)
  if (directive === undefined) return undefined
  const task = directive.task === '' ? 'go on with the work' : directive.task
  return { to: directive.to, tell: `Handoff from ${from}. Use the ${directive.to} subagent to ${task}.` }
}

export const VALIDATE = `Use the ${VALIDATOR} subagent to validate it before anything else is done.`
