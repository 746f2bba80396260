import type { EventKind } from '../../core/event.ts'
import type { Matcher, Pattern } from '../../core/hook.ts'
import type { Json } from '../../core/json.ts'
import { TOOL_EVENTS } from './claude-matcher.ts'
import type { ClaudeReader } from './claude-reading.ts'
import type { Path } from './locate.ts'

/**
 * The `if` of a handler: one permission rule. Only a rule that names a whole tool means the same here. A rule about the
 * input of a tool (`Bash(git *)`) is evaluated by the host with its own parser. If we ran the hook more often than the
 * host does, it would deny calls by mistake. So it is left out, and that is reported. Undefined: left out.
 */
export function conditionOf(
  event: EventKind,
  rule: Json | undefined,
  path: Path,
  reading: ClaudeReader,
): Pick<Matcher, 'toolName'> | undefined {
  if (rule === undefined) return {}
  if (!TOOL_EVENTS.has(event)) {
    const message = `Claude Code never runs a hook with \`if\` at ${event}, so it was left out.`
    reading.report(path, message, { code: 'CONFIG_VALUE', severity: 'warning', fix: 'Remove `if`.' })
    return undefined
  }
  const toolName = typeof rule === 'string' ? wholeTool(rule) : undefined
  if (toolName !== undefined) return { toolName }
  const written = typeof rule === 'string' ? rule.slice(0, 60) : 'this'
  reading.report(path, `Only Claude Code can evaluate \`if: ${written}\`, so the hook was left out here.`, {
    code: 'CONFIG_VALUE',
    fix: 'Check `tool_input` in the script and remove `if`, or use only the name of the tool.',
  })
  return undefined
}

/** Rules for `Read` and `Edit` cover other tools too. Rules for these tools cover only the named one. */
const ALONE: ReadonlySet<string> = new Set(['Bash', 'WebFetch', 'WebSearch', 'Agent', 'Task', 'Skill'])

function wholeTool(rule: string): Pattern | undefined {
  const name = /^([\w-]+)(?:\(\*\))?$/.exec(rule)?.[1]
  if (name === undefined) return undefined
  if (ALONE.has(name) || /^mcp__(?:(?!__).)+__.+$/.test(name)) return { kind: 'names', names: [name] }
  // Unlike a matcher, a rule with the name of a server covers all its tools.
  return /^mcp__(?:(?!__).)+$/.test(name) ? { kind: 'glob', globs: [`${name}__*`] } : undefined
}
