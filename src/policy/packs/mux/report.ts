import type { Guard, GuardInput } from '../../../core/guard.ts'
import { type ContractResult, checkContract } from '../../completion/check.ts'
import { BLOCKS_DEFAULT } from '../../completion/contract.ts'
import { placeholdersOf } from '../../completion/names.ts'
import { agentStart } from '../../completion/start.ts'
import { answerStop } from '../../completion/stop-answer.ts'
import { type ReadSignal, readSignal, type Signal } from '../../mux/signal-format.ts'
import { leftSignals, signalPatches, signalPaths } from './left-signals.ts'
import { type MuxOptions, readMuxOptions, type SoftRule } from './options.ts'
import { PASSES, STOPS } from './report-examples.ts'

/**
 * What a sub-agent must deliver: a report with its sections, a signal that names the report, and 0 as the last
 * message.
 */
export const reportGuard: Guard = {
  id: 'mux/report',
  title: 'Sub-agent that ends without its report and signal',
  why: 'The orchestrator receives results only through signals, and reads nothing longer than a summary.',
  instead:
    'write the report, run `holdpoint mux signal SESSION_DIR/.signals/NAME.done --path REPORT --status success`, and return 0.',
  on: ['PostToolUse', 'SubagentStop'],
  match: '*',
  skill: 'mux-subagent',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  onFailure: 'pass',
  timeoutMs: 10_000,
  examples: { stops: STOPS, passes: PASSES },
  check(input) {
    const { event, actor, facts, memory } = input
    if (event.kind === 'SubagentStop') return actor.agentType === undefined ? null : judgeEnd(input)
    const patches = memory === undefined ? [] : signalPatches(event, facts)
    return patches.length === 0 ? null : { effect: 'pass', remember: patches }
  },
}

interface Fault {
  readonly rule: SoftRule
  readonly text: string
}

async function judgeEnd(input: GuardInput): ReturnType<typeof answerOf> {
  const settings = readMuxOptions(input.options)
  const said = returnFaults(input)
  const left = await signalFaults(input, settings)
  return answerOf([...said.faults, ...left.faults], [...said.notices, ...left.notices], settings, input)
}

interface Faults {
  readonly faults: readonly Fault[]
  readonly notices: readonly string[]
}

function returnFaults({ event }: GuardInput): Faults {
  const text = 'lastMessage' in event ? event.lastMessage : undefined
  if (text === undefined) return { faults: [], notices: ['The last message is unknown. It should be 0.'] }
  const isZero = text.trim() === '0'
  return {
    faults: isZero ? [] : [{ rule: 'return', text: 'Your last message must be exactly 0.' }],
    notices: [],
  }
}

async function signalFaults(input: GuardInput, settings: MuxOptions): Promise<Faults> {
  const { facts, memory } = input
  if (memory === undefined) return { faults: [], notices: ['It is unknown whether the agent left a signal.'] }
  for (const path of leftSignals(memory).flatMap(signalPaths)) {
    const text = (await facts.stat(path))?.kind === 'file' ? await facts.readText(path) : undefined
    if (text === undefined) continue
    const read = readSignal(text)
    return read.ok
      ? reportFaults(read, path, input, settings)
      : unsignalled(`${path} is not a signal: ${read.why}.`)
  }
  return unsignalled(
    'There is no signal: run `holdpoint mux signal SESSION_DIR/.signals/NAME.done --path REPORT --status success`.',
  )
}

function unsignalled(text: string): Faults {
  return { faults: [{ rule: 'signal', text }], notices: [] }
}

/** A failure does not need a report. */
async function reportFaults(
  { signal, complaints }: Extract<ReadSignal, { ok: true }>,
  at: string,
  { event, actor, facts, memory }: GuardInput,
  { headings }: MuxOptions,
): Promise<Faults> {
  if (signal.status === 'fail') return { faults: [], notices: [] }
  const whole = signal.path.startsWith('/') ? signal.path : `${facts.project}/${signal.path}`
  const path = whole.startsWith(`${facts.project}/`) ? whole.slice(facts.project.length + 1) : whole
  const odd = complaints.map((text): Fault => ({ rule: 'signal', text: `${at} is incomplete: ${text}.` }))
  const size = await sizeFault(signal, at, whole, facts)
  const start = agentStart(memory)
  const names = placeholdersOf(event, actor, facts, start?.date)
  const contract = {
    id: 'mux',
    files: [{ path, headings }],
    messages: [],
    commands: [],
    blocks: BLOCKS_DEFAULT,
  }
  const verdict = await checkContract(contract, {
    event,
    facts,
    names,
    start,
    ran: new Map(),
    matches: () => false,
  })
  return {
    faults: [...odd, ...size, ...verdict.missing.map((text): Fault => ({ rule: 'report', text }))],
    notices: verdict.notices,
  }
}

async function sizeFault(
  { sizeBytes }: Signal,
  at: string,
  report: string,
  { stat }: GuardInput['facts'],
): Promise<readonly Fault[]> {
  const info = await stat(report)
  if (sizeBytes === undefined || info?.kind !== 'file' || info.sizeBytes === sizeBytes) return []
  const text = `${at} says ${sizeBytes} bytes, but the report has ${info.sizeBytes}. Write the signal again.`
  return [{ rule: 'signal', text }]
}

async function answerOf(
  faults: readonly Fault[],
  notices: readonly string[],
  { enforce }: MuxOptions,
  { event, memory }: GuardInput,
): Promise<ReturnType<typeof answerStop>> {
  const told = faults.filter(({ rule }) => !enforce.has(rule)).map(({ text }) => `MUX: ${text}`)
  const missing = faults.filter(({ rule }) => enforce.has(rule)).map(({ text }) => text)
  const verdict: ContractResult = { missing, notices: [...notices, ...told] }
  const reason = [
    'You may not finish yet. A MUX sub-agent writes a report and a signal, and returns 0. What is missing:',
    ...missing.map((text) => `- ${text}`),
  ].join('\n')
  return answerStop(verdict, {
    key: 'mux/report',
    name: 'MUX',
    blocks: BLOCKS_DEFAULT,
    event,
    memory,
    reason,
  })
}
