import { namesOf } from '../event.ts'

/** Tools of Claude Code, of this version and of earlier ones: a matcher that means one of them means something. */
export const TOOLS: readonly string[] = (
  'Agent AskUserQuestion Bash BashOutput CronCreate CronDelete CronList Edit EnterPlanMode EnterWorktree ExitPlanMode ' +
  'ExitWorktree Glob Grep KillShell LS LSP ListAgents ListMcpResourcesTool Monitor MultiEdit NotebookEdit ' +
  'NotebookRead PowerShell Read ReadMcpResourceTool ReportFindings ScheduleWakeup SendMessage SendUserMessage Skill ' +
  'SlashCommand StructuredOutput Task TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TeamCreate ' +
  'TeamDelete TodoRead TodoWrite ToolSearch WebFetch WebSearch Workflow Write'
).split(' ')

/** Names by which other agents, and older versions, know a tool. */
export const OTHER_NAMES: ReadonlySet<string> = new Set([
  ...TOOLS.flatMap((tool) => namesOf(tool)),
  'apply_patch',
  'spawn_agent',
])

/** Only these signs: Claude Code compares names. Anything else is a regex. */
export function isNames(matcher: string): boolean {
  return /^[A-Za-z0-9_ ,|-]*$/.test(matcher)
}

export function namesIn(matcher: string): readonly string[] {
  return matcher
    .split(/[|,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Whether two matchers can both want one call. Of what is not a text, nobody can say; then they cannot. */
export function canMeet(a: unknown, b: unknown): boolean {
  if (isAll(a) || isAll(b)) return true
  if (typeof a !== 'string' || typeof b !== 'string') return false
  if (a === b) return true
  const isIn = (matcher: string) => (name: string) => wants(matcher, name)
  const named = [...TOOLS, ...[a, b].filter(isNames).flatMap(namesIn)]
  return named.filter(isIn(a)).some(isIn(b))
}

function isAll(matcher: unknown): boolean {
  return matcher === undefined || matcher === '' || matcher === '*' || matcher === '.*'
}

/** A regex here is a stranger's, so only its plain parts are looked at. */
function wants(matcher: string, name: string): boolean {
  if (isNames(matcher)) return namesIn(matcher).includes(name)
  return matcher
    .split('|')
    .map((part) => part.replace(/^[\^(]+|[)$]+$/g, ''))
    .some((part) => part === '.*' || part === name)
}
