import type { Answer } from '../../decision.ts'
import { type ToolCall, toolOf } from '../../event.ts'
import type { Facts } from '../../facts.ts'
import { type JsonObject, textAt } from '../../json.ts'
import { forbid, forbiddenLine, shown } from '../../orchestrator/messages.ts'
import { mayRead } from '../../orchestrator/paths.ts'
import { staysInside } from '../../orchestrator/search-base.ts'
import { SHELLS, whyNotRun } from '../../orchestrator/shell-call.ts'
import { bareSkill } from '../../state/actors.ts'
import type { Guard } from '../guard.ts'
import { type MuxOptions, readMuxOptions } from './options.ts'
import { PASSES, STOPS } from './orchestrator-examples.ts'
import { launched, probe } from './watchdog.ts'

/** Whoever loaded the skill `mux` delegates: it reads nothing but its own skill and signals, and writes nothing. */
export const orchestrator: Guard = {
  id: 'mux/orchestrator',
  title: 'An orchestrator that works by itself',
  why: 'What it reads and writes itself fills its context, and no agent checks it.',
  instead: 'start an agent in the background, then read `holdpoint mux extract-summary report.md`.',
  on: ['PreToolUse'],
  match: '*',
  skill: 'mux',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: { stops: STOPS, passes: PASSES },
  check({ event, facts, options, memory }) {
    const tool = toolOf(event)
    if (tool === undefined) return forbid('A call without a tool', 'Say which tool it is.')
    const isSpawned = SPAWNS.has(textAt(event.raw, 'tool_name') ?? tool.name)
    return judgeTool({ tool, facts, memory, isSpawned, settings: readMuxOptions(options) })
  },
}

interface Post {
  readonly tool: ToolCall
  /** The host's own word is for agents that never run otherwise than beside. */
  readonly isSpawned: boolean
  readonly facts: Facts
  readonly memory: JsonObject | undefined
  readonly settings: MuxOptions
}

const SPAWNS: ReadonlySet<string> = new Set(['spawn_agent'])

const ALLOWED: ReadonlySet<string> = new Set([
  'AskUserQuestion',
  'mcp__voicemode__converse',
  'TaskCreate',
  'TaskUpdate',
  'TaskList',
  'ToolSearch',
  'ListAgents',
  'ListPeers',
  'ReportFindings',
  'SendMessage',
])

const WRITES = 'Delegate via Task(): an agent in the background writes it.'
const RESEARCH = 'Delegate to researcher: start that agent in the background via Task().'

/** Each tool that is judged by its name, or by its name first. */
const RULES: Readonly<Record<string, (post: Post) => Answer | null>> = {
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
  TaskOutput: probe,
  TaskStop: ({ tool }) => forbid(tool.name, 'Agents end by themselves; their signals say how.'),
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

function judgeTool(post: Post): Answer | null {
  const { tool, settings } = post
  const name = Object.hasOwn(ALSO, tool.name) ? (ALSO[tool.name] ?? tool.name) : tool.name
  const rule = Object.hasOwn(RULES, name) ? RULES[name] : undefined
  if (rule !== undefined) return rule(post)
  if (SHELLS.has(name)) return judgeShell(post)
  if (ALLOWED.has(name) || settings.allow.includes(name) || settings.unknownTool === 'allow') return null
  const reason = `${shown(name)} is on no list of the MUX orchestrator. Delegate via Task() what it would do.`
  return { effect: settings.unknownTool, reason }
}

function judgeRead({ tool, facts }: Post): Answer | null {
  const path = textAt(tool.input, 'file_path')
  if (path !== undefined && mayRead(path, facts)) return null
  const what =
    path === undefined ? 'It names no file.' : `${shown(path)} is neither a signal nor a file of the skill.`
  return forbid(
    tool.name,
    `${what} Use extract-summary (\`holdpoint mux extract-summary FILE\`, extract-summary.py) for a report, or delegate via Task().`,
  )
}

function judgeSearch({ tool, facts }: Post): Answer | null {
  if (staysInside(tool.name === 'Glob' ? 'Glob' : 'Grep', tool.input, facts)) return null
  const where = textAt(tool.input, 'path') ?? textAt(tool.input, 'pattern') ?? '.'
  return forbid(
    tool.name,
    `Delegate via Task(): ${shown(where)} is outside of .claude/skills/ and .claude/hooks/, the only places it may search.`,
  )
}

function judgeSkill({ tool, settings }: Post): Answer | null {
  const skill = textAt(tool.input, 'skill')
  if (skill !== undefined && settings.skillAllow.includes(bareSkill(skill))) return null
  const which = skill === undefined ? 'Another skill' : shown(skill)
  return forbid(tool.name, `Context suicide: ${which} would fill its context. Delegate via Task().`)
}

function judgeAgent(post: Post): Answer | null {
  const { tool, settings, isSpawned } = post
  const background = tool.input.run_in_background
  if (background === true || (isSpawned && background === undefined)) return launched(post)
  const said = background === undefined ? 'it is missing' : `it is ${JSON.stringify(background).slice(0, 40)}`
  const reason = `${tool.name} must run in the background for MUX orchestrator: run_in_background=True is required, and ${said}. Make the call again with run_in_background: true.`
  const isOpen = background !== false && settings.missingBackground === 'ask'
  return { effect: isOpen ? 'ask' : 'deny', reason }
}

function judgeShell({ tool, facts, settings }: Post): Answer | null {
  const { toolRoots, commands } = settings
  const list = { ls: false, commands, ...(toolRoots === undefined ? {} : { toolRoots }) }
  const why = whyNotRun(tool, list, facts)
  if (why === undefined) return null
  const command = textAt(tool.input, 'command') ?? ''
  const reason = `${forbiddenLine(`${tool.name} outside of its whitelist`)} ${shown(command)}: ${why}. It may run one at a time, with nothing around it: mkdir -p FOLDER, uv run …/tools/TOOL, holdpoint mux TOOL. Delegate everything else via Task().`
  return { effect: 'deny', reason }
}
