import type { Answer } from '../../decision.ts'
import { type Event, type ToolCall, toolOf } from '../../event.ts'
import { isObject, type JsonObject, textAt } from '../../json.ts'
import { withDebugLines } from '../../orchestrator/debug-lines.ts'
import { forbid, forbiddenLine, shown } from '../../orchestrator/messages.ts'
import { plainCommand } from '../../orchestrator/plain-command.ts'
import { SHELLS, whyNotRun } from '../../orchestrator/shell-call.ts'
import { bareSkill } from '../../state/actors.ts'
import type { Guard, GuardInput } from '../guard.ts'
import { PASSES, STOPS } from './orchestrator-examples.ts'

/** The older rules: eleven tools are forbidden, a few commands are allowed, `ls` once, and everything else is free. */
export const orchestrator: Guard = {
  id: 'mux-legacy/orchestrator',
  title: 'An orchestrator that works by itself (older rules)',
  why: 'An orchestrator delegates; what it does itself fills its context.',
  instead: 'delegate via Task() in the background.',
  on: ['PreToolUse'],
  match: '*',
  skill: SKILL(),
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: { stops: STOPS, passes: PASSES },
  check(input) {
    const tool = toolOf(input.event)
    if (tool === undefined) return { effect: 'deny', reason: 'A call without a tool cannot be judged.' }
    const answer = isOfAnotherSkill(input.event) ? null : judgeTool(tool, input)
    return input.options.debug === true ? withDebugLines(tool, answer) : answer
  },
}

function SKILL(): string {
  return 'mux'
}

const DELEGATE = 'Delegate via Task().'
const FORBIDDEN: ReadonlySet<string> = new Set([
  'Read',
  'Write',
  'Edit',
  'Grep',
  'Glob',
  'WebSearch',
  'WebFetch',
  'NotebookEdit',
  'TaskOutput',
  'TaskStop',
  // The same by other names.
  'MultiEdit',
  'apply_patch',
  'AgentOutputTool',
  'KillShell',
  'KillBash',
])

/** A payload that says for which skill the call is made is believed: it is the caller's, not the agent's. */
function isOfAnotherSkill({ raw }: Event): boolean {
  return isObject(raw.context ?? null) && textAt(raw.context as JsonObject, 'skill') !== SKILL()
}

function judgeTool(tool: ToolCall, input: GuardInput): Answer | null {
  if (FORBIDDEN.has(tool.name)) return forbid(tool.name, DELEGATE)
  if (tool.name === 'Skill') return isItself(tool.input) ? null : forbid(tool.name, DELEGATE)
  return SHELLS.has(tool.name) ? judgeShell(tool, input) : null
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
  if (plain.is !== 'plain' || !/(?:^|\/)ls$/.test(plain.words[0] ?? '')) return null
  // Without a session there is nothing to remember it in; with one that cannot be read, it may have run.
  if (memory === undefined)
    return event.session === '' ? null : refuse(tool.name, command, 'whether `ls` ran is lost')
  if (memory[LISTED] !== undefined) return refuse(tool.name, command, '`ls` may run once, and it did')
  return { effect: 'pass', remember: [{ op: 'set', key: LISTED, value: true }] }
}

function refuse(tool: string, command: string, why: string): Answer {
  const rule = 'It may run uv run tools/session.py, verify.py, signal.py or agents.py, mkdir -p, and ls once.'
  const line = forbiddenLine(`${tool} outside of its whitelist`)
  return { effect: 'deny', reason: `${line} ${shown(command)}: ${why}. ${rule} ${DELEGATE}` }
}
