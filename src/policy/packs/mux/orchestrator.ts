import type { Answer } from '../../../core/decision.ts'
import { type Background, type ToolCall, toolOf } from '../../../core/event.ts'
import type { Facts } from '../../../core/facts.ts'
import type { Guard } from '../../../core/guard.ts'
import { type JsonObject, textAt } from '../../../core/json.ts'
import { bareSkill } from '../../../core/state/actors.ts'
import { wordSet } from '../../../core/word-list.ts'
import { forbid, forbiddenLine, quotedValue, withPrompt } from '../../mux/messages.ts'
import { mayRead } from '../../mux/paths.ts'
import { isSearchInside } from '../../mux/search-base.ts'
import { SHELL_TOOLS, whyNotRun } from '../../mux/shell-call.ts'
import { type MuxOptions, readMuxOptions } from './options.ts'
import { PASSES, STOPS } from './orchestrator-examples.ts'
import { onLaunch, watchdogProbe } from './watchdog.ts'

/** An agent that loaded the skill `mux` delegates: it reads only its own skill and signals, and writes nothing. */
export const orchestrator: Guard = {
  id: 'mux/orchestrator',
  title: 'Orchestrator that does the work itself',
  why: 'Everything that an orchestrator reads and writes itself fills its context, and no other agent checks it.',
  instead: 'start an agent in the background, then read `holdpoint mux extract-summary report.md`.',
  on: ['PreToolUse'],
  match: '*',
  skill: 'mux',
  readsDelivery: true,
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: { stops: STOPS, passes: PASSES },
  check({ event, facts, options, memory }) {
    const tool = toolOf(event)
    if (tool === undefined) return forbid('A call without a tool', 'Name the tool.')
    const isSpawned = SPAWNS.has(textAt(event.raw, 'tool_name') ?? tool.name)
    const answer = judgeTool({ tool, facts, memory, isSpawned, settings: readMuxOptions(options) })
    return answer?.context === undefined ? answer : withPrompt(tool.name, answer, facts)
  },
}

interface OrchestratorCall {
  readonly tool: ToolCall
  /** The host's own field is for agents that always run in the background. */
  readonly isSpawned: boolean
  readonly facts: Facts
  readonly memory: JsonObject | undefined
  readonly settings: MuxOptions
}

const SPAWNS: ReadonlySet<string> = new Set(['spawn_agent'])

const ALLOWED = wordSet(`
  AskUserQuestion mcp__voicemode__converse TaskCreate TaskUpdate TaskList ToolSearch ListAgents ListPeers
  ReportFindings SendMessage
`)

const WRITES = 'Delegate via Task(): an agent in the background writes it.'
const RESEARCH = 'Delegate to researcher: start that agent in the background via Task().'

/** Tools that are judged by name, or first by name. */
const RULES: Readonly<Record<string, (post: OrchestratorCall) => Answer | null>> = {
  Read: judgeRead,
  Write: ({ tool }) => forbid(tool.name, WRITES),
  Edit: ({ tool }) => forbid(tool.name, WRITES),
  MultiEdit: ({ tool }) => forbid(tool.name, WRITES),
  NotebookEdit: ({ tool }) => forbid(tool.name, WRITES),
  apply_patch: ({ tool }) => forbid(tool.name, WRITES),
  Grep: judgeSearch,
  Glob: judgeSearch,
  WebSearch: ({ tool }) => forbid(tool.name, RESEARCH),
  WebFetch: ({ tool }) => forbid(tool.name, RESEARCH),
  TaskOutput: watchdogProbe,
  TaskStop: ({ tool }) => forbid(tool.name, 'Agents end on their own. Their signals give the result.'),
  Skill: judgeSkill,
  Task: judgeAgent,
  Agent: judgeAgent,
}

/** Older and other names of the same tools. */
const ALSO: Readonly<Record<string, string>> = {
  KillShell: 'TaskStop',
  KillBash: 'TaskStop',
  AgentOutputTool: 'TaskOutput',
  BashOutput: 'TaskOutput',
  spawn_agent: 'Agent',
}

function judgeTool(post: OrchestratorCall): Answer | null {
  const { tool, settings } = post
  const name = Object.hasOwn(ALSO, tool.name) ? (ALSO[tool.name] ?? tool.name) : tool.name
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined
  if (rule !== undefined) return rule(post)
  if (SHELL_TOOLS.has(name)) return judgeShell(post)
  if (ALLOWED.has(name) || settings.allow.includes(name) || settings.unknownTool === 'allow') return null
  const reason = `${quotedValue(name)} is not on any list of the MUX orchestrator. Delegate its work via Task().`
  return { effect: settings.unknownTool, reason }
}

function judgeRead({ tool, facts }: OrchestratorCall): Answer | null {
  const path = textAt(tool.input, 'file_path')
  if (path !== undefined && mayRead(path, facts)) return null
  const what =
    path === undefined
      ? 'The call names no file.'
      : `${quotedValue(path)} is not a signal and not a file of the skill.`
  return forbid(
    tool.name,
    `${what} Use extract-summary (\`holdpoint mux extract-summary FILE\`, extract-summary.py) for a report, or delegate via Task().`,
  )
}

function judgeSearch({ tool, facts }: OrchestratorCall): Answer | null {
  if (isSearchInside(tool.name === 'Glob' ? 'Glob' : 'Grep', tool.input, facts)) return null
  const where = textAt(tool.input, 'path') ?? textAt(tool.input, 'pattern') ?? '.'
  return forbid(
    tool.name,
    `Delegate via Task(): ${quotedValue(where)} is outside .claude/skills/ and .claude/hooks/, the only folders it may search.`,
  )
}

function judgeSkill({ tool, settings }: OrchestratorCall): Answer | null {
  const skill = textAt(tool.input, 'skill')
  if (skill !== undefined && settings.skillAllow.includes(bareSkill(skill))) return null
  const which = skill === undefined ? 'Another skill' : quotedValue(skill)
  return forbid(tool.name, `Context suicide: ${which} would fill its context. Delegate via Task().`)
}

function judgeAgent(post: OrchestratorCall): Answer | null {
  const { tool, settings, isSpawned } = post
  if (tool.background !== undefined) return judgeOwnBackground(post, tool.background)
  const background = tool.input.run_in_background
  if (background === true || (isSpawned && background === undefined)) return onLaunch(post)
  const said = background === undefined ? 'it is missing' : `it is ${JSON.stringify(background).slice(0, 40)}`
  const reason = `${tool.name} must run in the background for MUX orchestrator: run_in_background=True is required, and ${said}. Make the call again with run_in_background: true.`
  const isOpen = background !== false && settings.missingBackground === 'ask'
  return { effect: isOpen ? 'ask' : 'deny', reason }
}

/** A host with its own option for the background, or without any: there an orchestrator can only wait. */
function judgeOwnBackground(post: OrchestratorCall, background: Background): Answer | null {
  if (background === 'never' || background.isOn) return onLaunch(post)
  const { hostName, name } = post.tool
  const reason = `${hostName ?? name} must run in the background for MUX orchestrator. Make the call again with ${background.option}.`
  return { effect: 'deny', reason }
}

function judgeShell({ tool, facts, settings }: OrchestratorCall): Answer | null {
  const { toolRoots, commands } = settings
  const list = { ls: false, commands, ...(toolRoots === undefined ? {} : { toolRoots }) }
  const why = whyNotRun(tool, list, facts)
  if (why === undefined) return null
  const command = textAt(tool.input, 'command') ?? ''
  const reason = `${forbiddenLine(`${tool.name} outside of its whitelist`)} ${quotedValue(command)}: ${why}. It may run one at a time, with nothing around it: mkdir -p FOLDER, uv run …/tools/TOOL, holdpoint mux TOOL. Delegate everything else via Task().`
  return { effect: 'deny', reason }
}
