import { isKnownTool, meantTool, TOOLS } from '../sources/tool-names.ts'
import type { Check, Found } from './check.ts'
import type { ClaudeFile } from './claude-file.ts'
import { isNames, namesIn } from './tools.ts'

/** Matchers that mean something else than their author thinks. */
export const MATCHER_CHECKS: readonly Check[] = [
  {
    id: 'dead-matcher',
    severity: 'error',
    title: 'A matcher that never matches',
    why: 'Claude Code compares names exactly, with their case; a rule such as `Bash(git *)` is not a matcher, a server is not a tool, and an invalid regex matches nothing. The hook never runs, and nobody is told.',
    instead: 'Write the name of the tool as it is (`Bash`), or `mcp__server__.*` for all tools of a server.',
    bad: example('bash'),
    good: example('Bash|mcp__github__.*'),
    find: (file) => eachMatcher(file, deadBecause),
  },
  {
    id: 'unknown-tool',
    severity: 'warning',
    title: 'A name no tool has',
    why: 'No known tool is called so; if none is, the hook never runs.',
    instead: 'Correct the name, or remove it.',
    bad: example('Bash|Shell'),
    good: example('Bash|Monitor'),
    find: (file) =>
      eachMatcher(file, (matcher) => {
        if (!isNames(matcher)) return undefined
        const unknown = namesIn(matcher).filter((name) => !isKnownTool(name) && meantTool(name) === undefined)
        return unknown.length === 0 ? undefined : `No known tool is called \`${unknown.join('`, `')}\`.`
      }),
  },
  {
    id: 'old-tool-name',
    severity: 'warning',
    title: 'An old name of a tool',
    why: 'It still matches, but the hook is told the new name, so a script that looks for the old one in `tool_name` does nothing.',
    instead: 'Write `Agent`, and look for `Agent` in the script.',
    bad: example('Task'),
    good: example('Agent'),
    find: (file) =>
      eachMatcher(file, (matcher) =>
        isNames(matcher) && namesIn(matcher).includes('Task')
          ? 'The tool `Task` is called `Agent` now.'
          : undefined,
      ),
  },
  {
    id: 'ambiguous-matcher',
    severity: 'warning',
    title: 'A regex that matches more tools than it names',
    why: 'One sign of a regex makes the whole matcher a regex, and a regex matches anywhere in the name: in `Edit|mcp__.*` the part `Edit` also matches NotebookEdit.',
    instead: 'Anchor it: `^(Edit|mcp__.*)$`, or write two groups.',
    bad: example('Edit|mcp__.*'),
    good: example('^(Edit|mcp__.*)$'),
    find: (file) => eachMatcher(file, tooWide),
  },
]

function example(matcher: string): { readonly settings: string } {
  const group = { matcher, hooks: [{ type: 'command', command: 'true' }] }
  return { settings: JSON.stringify({ hooks: { PreToolUse: [group] } }) }
}

const TOOL_EVENTS: ReadonlySet<string> = new Set([
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
])

/** Each matcher over tools once, however many handlers its group has. */
function eachMatcher(file: ClaudeFile, say: (matcher: string) => string | undefined): readonly Found[] {
  const found = new Map<string, Found>()
  for (const { event, matcher, matcherPath } of file.handlers) {
    if (!TOOL_EVENTS.has(event) || typeof matcher !== 'string' || found.has(matcherPath.join('.'))) continue
    const what = say(matcher)
    if (what !== undefined) found.set(matcherPath.join('.'), { path: matcherPath, what })
  }
  return [...found.values()]
}

function deadBecause(matcher: string): string | undefined {
  if (matcher === '*') return undefined
  if (isNames(matcher)) {
    const dead = namesIn(matcher).find((name) => SERVER.test(name) || meantTool(name) !== undefined)
    if (dead === undefined) return undefined
    if (SERVER.test(dead)) return `\`${dead}\` is the name of a server, not of a tool.`
    return `\`${dead}\` matches nothing; the tool is called \`${meantTool(dead)}\`.`
  }
  if (RULE.test(matcher)) return `\`${matcher.slice(0, 60)}\` is a permission rule, not a matcher.`
  try {
    new RegExp(matcher)
    return undefined
  } catch {
    return `\`${matcher.slice(0, 60)}\` is not a valid regex.`
  }
}

const SERVER = /^mcp__(?:(?!__).)+$/
const RULE = /^[A-Z]\w*\(.*[ *:/].*\)$/

function tooWide(matcher: string): string | undefined {
  if (isNames(matcher) || /^\^\(.*\)\$$/.test(matcher)) return undefined
  const parts = matcher.split('|')
  const plain = parts.filter((part) => /^\w+$/.test(part))
  const others = TOOLS.filter((tool) => !parts.includes(tool) && plain.some((part) => tool.includes(part)))
  return others.length === 0
    ? undefined
    : `\`${matcher.slice(0, 60)}\` also matches ${others.slice(0, 4).join(', ')}.`
}
