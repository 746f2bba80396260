import { HoldpointError } from '../core/errors.ts'
import { readHandoff } from '../policy/handoff/contract.ts'
import type { Caller } from './caller.ts'
import { visible, visibleJson } from './visible.ts'

interface HandoffOptions {
  readonly agentType?: string
  readonly json?: boolean
}

const INPUT_MAX_MS = 10_000

/** Reads the last message of an agent on standard input, and says what the handoff check makes of it. */
export async function testHandoff(caller: Caller, { agentType, json }: HandoffOptions): Promise<void> {
  const input = await caller.readInput(INPUT_MAX_MS)
  if (!input.ok) throw new HoldpointError(input.problem)
  const token = caller.env.HANDOFF_TOKEN
  const handoff = readHandoff(input.value, {
    ...(agentType === undefined ? {} : { agent: agentType }),
    ...(token === undefined ? {} : { token }),
  })
  caller.exitCode = handoff.faults.length === 0 ? 0 : 1
  if (json === true) {
    caller.stdout.write(`${visibleJson(JSON.stringify(handoff))}\n`)
    return
  }
  const { ready, to, task, token: found, block, faults } = handoff
  const lines = [
    `ready: ${ready ? 'yes, the tests run before the agent may end' : 'no'}`,
    `next agent: ${to === undefined ? 'none' : to}${task === undefined ? '' : ` (${task})`}`,
    `token: ${found ?? 'none'}`,
    `block: ${block === undefined ? 'none' : `from ${block.from} to ${block.to}, status ${block.status}`}`,
    ...faults,
    faults.length === 0 ? 'The handoff is complete.' : 'The handoff is not complete.',
  ]
  for (const line of lines) caller.stdout.write(`${visible(line)}\n`)
}
