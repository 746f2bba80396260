import type { Answer } from '../../../core/decision.ts'
import { type Event, type ToolCall, toolOf } from '../../../core/event.ts'
import type { Guard, GuardInput } from '../../../core/guard.ts'
import { isObject, type JsonObject, textAt } from '../../../core/json.ts'
import { bareSkill } from '../../../core/state/actors.ts'
import { wordSet } from '../../../core/word-list.ts'
import { withDebugLines } from '../../mux/debug-lines.ts'
import { forbid, forbiddenLine, quotedValue } from '../../mux/messages.ts'
import { plainCommand } from '../../mux/plain-command.ts'
import { SHELL_TOOLS, whyNotRun } from '../../mux/shell-call.ts'
import { PASSES, STOPS } from './orchestrator-examples.ts'

/**
 * The older rules: eleven tools are forbidden, a few commands are allowed, `ls` is allowed once, and everything else
 * is free.
 */
export const legacyOrchestrator: Guard = {
  id: 'mux-legacy/orchestrator',
  title: 'Orchestrator that does the work itself (older rules)',
  why: 'An orchestrator must delegate. Work that it does itself fills its context.',
  instead: 'delegate via Task() in the background.',
  on: ['PreToolUse'],
  match: '*',
  skill: SKILL(),
  readsDelivery: true,
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: { stops: STOPS, passes: PASSES },
  check(input) {
    const tool = toolOf(input.event)
    if (tool === undefined) return { effect: 'deny', reason: 'A call without a tool cannot be checked.' }
    const answer = isOfAnotherSkill(input.event) ? null : judgeTool(tool, input)
    return input.options.debug === true ? withDebugLines(tool, answer) : answer
  },
}

function SKILL(): string {
  return 'mux'
}

const DELEGATE = 'Delegate via Task().'
/** The second line: the same tools under other names. */
const FORBIDDEN = wordSet(`
  Read Write Edit Grep Glob WebSearch WebFetch NotebookEdit TaskOutput TaskStop
  MultiEdit apply_patch AgentOutputTool KillShell KillBash
`)

/**
 * If the payload names the skill of the call, that value is used, because it comes from the host, not from the agent.
 */
function isOfAnotherSkill({ raw }: Event): boolean {
  return isObject(raw.context ?? null) && textAt(raw.context as JsonObject, 'skill') !== SKILL()
}

function judgeTool(tool: ToolCall, input: GuardInput): Answer | null {
  if (FORBIDDEN.has(tool.name)) return forbid(tool.name, DELEGATE)
  if (tool.name === 'Skill') return isItself(tool.input) ? null : forbid(tool.name, DELEGATE)
  return SHELL_TOOLS.has(tool.name) ? judgeShell(tool, input) : null
}

function isItself(input: JsonObject): boolean {
  return bareSkill(textAt(input, 'skill') ?? '') === SKILL()
}

const SCRIPTS: ReadonlySet<string> = new Set(['session.py', 'verify.py', 'signal.py', 'agents.py'])
const LISTED = 'mux-legacy/ls'

function judgeShell(tool: ToolCall, { facts, memory, event }: GuardInput): Answer | null {
  const command = textAt(tool.input, 'command') ?? ''
  const why = whyNotRun(tool, { scripts: SCRIPTS, ls: true, commands: [] }, facts)
  if (why !== undefined) return refuse(tool.name, command, why)
  const plain = plainCommand(command, facts)
  if (plain.kind !== 'plain' || !/(?:^|\/)ls$/.test(plain.words[0] ?? '')) return null
  // Without a session nothing can be remembered. If the session cannot be read, `ls` may already have run.
  if (memory === undefined)
    return event.session === '' ? null : refuse(tool.name, command, 'it is unknown whether `ls` already ran')
  if (memory[LISTED] !== undefined)
    return refuse(tool.name, command, '`ls` may run only once, and it already ran')
  return { effect: 'pass', remember: [{ op: 'set', key: LISTED, value: true }] }
}

function refuse(tool: string, command: string, why: string): Answer {
  const rule = 'It may run uv run tools/session.py, verify.py, signal.py or agents.py, mkdir -p, and ls once.'
  const line = forbiddenLine(`${tool} outside of its whitelist`)
  return { effect: 'deny', reason: `${line} ${quotedValue(command)}: ${why}. ${rule} ${DELEGATE}` }
}
