import { namesOf } from '../../core/event.ts'
import { wordList } from '../../core/word-list.ts'

/** Tools of Claude Code, of this version and of earlier ones, used to check matchers. */
export const TOOLS = wordList(`
  Agent AskUserQuestion Bash BashOutput CronCreate CronDelete CronList Edit EnterPlanMode EnterWorktree
  ExitPlanMode ExitWorktree Glob Grep KillShell LS LSP ListAgents ListMcpResourcesTool Monitor MultiEdit
  NotebookEdit NotebookRead PowerShell Read ReadMcpResourceTool ReportFindings ScheduleWakeup SendMessage
  SendUserMessage Skill SlashCommand StructuredOutput Task TaskCreate TaskGet TaskList TaskOutput TaskStop
  TaskUpdate TeamCreate TeamDelete TodoRead TodoWrite ToolSearch WebFetch WebSearch Workflow Write
`)

const KNOWN_NAMES: ReadonlySet<string> = new Set([
  ...TOOLS.flatMap((tool) => namesOf(tool)),
  'apply_patch',
  'spawn_agent',
])

/** Also by a name that other agents, or older versions, use. The tools of all servers cannot be known. */
export function isKnownTool(name: string): boolean {
  return KNOWN_NAMES.has(name) || name.startsWith('mcp__')
}

/** The tool whose name differs only in case. */
export function meantTool(name: string): string | undefined {
  if (isKnownTool(name)) return undefined
  return TOOLS.find((tool) => tool.toLowerCase() === name.toLowerCase())
}
