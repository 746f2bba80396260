import { isKnownTool, meantTool, TOOLS } from '../../config/sources/tool-names.ts'
import { wordSet } from '../../core/word-list.ts'
import type { Check, LintMatch } from './check.ts'
import type { ClaudeFile } from './claude-file.ts'
import { isNames, namesIn } from './tools.ts'

/** Matchers that mean something else than their author thinks. */
export const MATCHER_CHECKS: readonly Check[] = [
  {
    id: 'dead-matcher',
    severity: 'error',
    title: 'A matcher that never matches',
    why: 'The hook never runs, and Claude Code does not say so. Names are compared exactly, including their case. A permission rule such as `Bash(git *)` is not a matcher, the name of a server is not the name of a tool, and an invalid regex matches nothing.',
    instead: 'Write the exact name of the tool (`Bash`), or `mcp__server__.*` for all tools of a server.',
    bad: example('bash'),
    good: example('Bash|mcp__github__.*'),
    find: (file) => eachMatcher(file, deadBecause),
  },
  {
    id: 'unknown-tool',
    severity: 'warning',
    title: 'An unknown tool name',
    why: 'No known tool has this name. If there is none, the hook never runs.',
    instead: 'Correct the name, or remove it.',
    bad: example('Bash|Shell'),
    good: example('Bash|Monitor'),
    find: (file) =>
      eachMatcher(file, (matcher) => {
        if (!isNames(matcher)) return undefined
        const unknown = namesIn(matcher).filter((name) => !isKnownTool(name) && meantTool(name) === undefined)
        return unknown.length === 0 ? undefined : `There is no known tool \`${unknown.join('`, `')}\`.`
      }),
  },
  {
    id: 'old-tool-name',
    severity: 'warning',
    title: 'An old name of a tool',
    why: 'The matcher still works, but the hook gets the new name in `tool_name`. A script that looks for the old name does nothing.',
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
    why: 'One regex character makes the whole matcher a regex, and a regex matches anywhere in a name. In `Edit|mcp__.*`, the part `Edit` also matches NotebookEdit.',
    instead: 'Anchor the regex: `^(Edit|mcp__.*)$`. Or write two entries.',
    bad: example('Edit|mcp__.*'),
    good: example('^(Edit|mcp__.*)$'),
    find: (file) => eachMatcher(file, tooWide),
  },
]

function example(matcher: string): { readonly settings: string } {
  const group = { matcher, hooks: [{ type: 'command', command: 'true' }] }
  return { settings: JSON.stringify({ hooks: { PreToolUse: [group] } }) }
}

const TOOL_EVENTS = wordSet('PreToolUse PermissionRequest PermissionDenied PostToolUse PostToolUseFailure')

/** Each matcher of tool names once, however many handlers its group has. */
function eachMatcher(file: ClaudeFile, say: (matcher: string) => string | undefined): readonly LintMatch[] {
  const found = new Map<string, LintMatch>()
  for (const { event, matcher, matcherPath } of file.handlers) {
    if (!TOOL_EVENTS.has(event) || typeof matcher !== 'string' || found.has(matcherPath.join('.'))) continue
    const what = say(matcher)
    if (what === undefined) continue
    const spelled = spelledRight(matcher)
    const replace = spelled === matcher ? {} : { replace: { old: matcher, with: spelled } }
    found.set(matcherPath.join('.'), { path: matcherPath, what, ...replace })
  }
  return [...found.values()]
}

/** With the names that differ only in case, and the old ones, as the tools are called. */
function spelledRight(matcher: string): string {
  if (!isNames(matcher)) return matcher
  return matcher.replaceAll(/[\w-]+/g, (name) => (name === 'Task' ? 'Agent' : (meantTool(name) ?? name)))
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
