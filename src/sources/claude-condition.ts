import type { EventKind } from '../event.ts'
import type { Match, Pattern } from '../hook.ts'
import type { Json } from '../json.ts'
import { TOOL_EVENTS } from './claude-matcher.ts'
import type { Reading } from './claude-reading.ts'
import type { Path } from './locate.ts'

/**
 * A handler's `if`: one permission rule. Only rules that name a tool as a whole mean the same here. A rule over what
 * the tool is given (`Bash(git *)`) is read by the host with its own parser of commands and paths; a hook that ran
 * more often than there would forbid what nobody forbade, so it is left out, and that is said. Undefined: left out.
 */
export function conditionOf(
  event: EventKind,
  rule: Json | undefined,
  path: Path,
  reading: Reading,
): Pick<Match, 'toolName'> | undefined {
  if (rule === undefined) return {}
  if (!TOOL_EVENTS.has(event)) {
    const message = `Claude Code never runs a hook with \`if\` at ${event}, so it was left out.`
    reading.report(path, message, { code: 'CONFIG_VALUE', severity: 'warning', fix: 'Remove `if`.' })
    return undefined
  }
  const toolName = typeof rule === 'string' ? wholeTool(rule) : undefined
  if (toolName !== undefined) return { toolName }
  const written = typeof rule === 'string' ? rule.slice(0, 60) : 'this'
  reading.report(path, `Only the agent itself can judge \`if: ${written}\`, so the hook was left out here.`, {
    code: 'CONFIG_VALUE',
    fix: 'Let the script look at `tool_input` itself and remove `if`, or name the tool alone.',
  })
  return undefined
}

/** Rules for `Read` and `Edit` cover other tools too; these cover the one they name. */
const ALONE: ReadonlySet<string> = new Set(['Bash', 'WebFetch', 'WebSearch', 'Agent', 'Task', 'Skill'])

function wholeTool(rule: string): Pattern | undefined {
  const name = /^([\w-]+)(?:\(\*\))?$/.exec(rule)?.[1]
  if (name === undefined) return undefined
  if (ALONE.has(name) || /^mcp__(?:(?!__).)+__.+$/.test(name)) return { is: 'names', names: [name] }
  // Unlike a matcher, a rule with a server's name is about all of its tools.
  return /^mcp__(?:(?!__).)+$/.test(name) ? { is: 'glob', globs: [`${name}__*`] } : undefined
}
