import type { GuardInput } from '../../guard.ts'
import { isKnownAgent } from '../agents.ts'
import { type CollectiveOptions, VALIDATOR } from '../options.ts'
import { checkWords } from './checks.ts'
import type { Completion } from './completion.ts'
import { findDirective } from './phrase.ts'
import { endsPhase, isOrchestrator, isReady } from './signs.ts'
import { type Checkpoint, checkpointOf, faultOf } from './stages.ts'

/** What a completion comes to. */
export interface Judgement {
  /** It says that its work can be handed on, so dependencies, tests and build were looked at. */
  readonly ready: boolean
  readonly fault?: string
  readonly route?: { readonly to: string; readonly tell: string }
  /** Token, output, state contract and the name of the next agent: told, never held. */
  readonly warnings: readonly string[]
  /** The command that tested it, where one did. */
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
  const words = checkWords(from, text, facts)
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

const UNTESTED = 'No tests were run: no test command was found. Set `test` of pack collective.'

function unknown(name: string): string {
  return `Unknown agent name: ${name}. It is routed to all the same.`
}

function testsIn({ stages }: Checkpoint): { readonly testedBy?: string } {
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
