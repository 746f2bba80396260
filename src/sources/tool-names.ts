import { namesOf } from '../event.ts'

/** Tools of Claude Code, of this version and of earlier ones: a matcher that means one of them means something. */
export const TOOLS: readonly string[] = (
  'Agent AskUserQuestion Bash BashOutput CronCreate CronDelete CronList Edit EnterPlanMode EnterWorktree ExitPlanMode ' +
  'ExitWorktree Glob Grep KillShell LS LSP ListAgents ListMcpResourcesTool Monitor MultiEdit NotebookEdit ' +
  'NotebookRead PowerShell Read ReadMcpResourceTool ReportFindings ScheduleWakeup SendMessage SendUserMessage Skill ' +
  'SlashCommand StructuredOutput Task TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TeamCreate ' +
  'TeamDelete TodoRead TodoWrite ToolSearch WebFetch WebSearch Workflow Write'
).split(' ')

const KNOWN_NAMES: ReadonlySet<string> = new Set([
  ...TOOLS.flatMap((tool) => namesOf(tool)),
  'apply_patch',
  'spawn_agent',
])

/** Also by a name other agents, or older versions, know it under. Nobody knows all tools of all servers. */
export function isKnownTool(name: string): boolean {
  return KNOWN_NAMES.has(name) || name.startsWith('mcp__')
}

/** The tool whose name differs only in case. */
export function meantTool(name: string): string | undefined {
  if (isKnownTool(name)) return undefined
  return TOOLS.find((tool) => tool.toLowerCase() === name.toLowerCase())
}
