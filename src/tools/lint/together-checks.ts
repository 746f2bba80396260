import type { Check, LintContext, LintExample } from './check.ts'
import type { ClaudeFile, ClaudeHandler } from './claude-file.ts'
import { scriptOf } from './script.ts'
import { canMeet } from './tools.ts'

/** How hooks affect each other, also across files. */
export const TOGETHER_CHECKS: readonly Check[] = [
  {
    id: 'registered-twice',
    severity: 'warning',
    title: 'The same command twice',
    why: 'Claude Code runs identical commands once, even from different entries and files. If you change one of them, both run.',
    instead: 'Keep one of them. One matcher can name several tools.',
    bad: example(['Bash', 'Bash|Edit'], ['true', 'true']),
    good: example(['Bash', 'Edit'], ['true', 'true']),
    find(file, { files }) {
      const seen = new Map<string, [ClaudeHandler, ClaudeFile][]>()
      return upTo(file, files).flatMap(([handler, where]) => {
        const key = commandKey(handler)
        if (key === undefined) return []
        const others = seen.get(key) ?? []
        const first = others.find(([other]) => canMeet(other.matcher, handler.matcher))
        if (others.length < COMPARED_MAX) seen.set(key, [...others, [handler, where]])
        if (first === undefined || where !== file) return []
        const [other, there] = first
        const place = there.place(other.path)
        const what = `The same command is in ${there === file ? 'this file' : there.path}, line ${place.line}.`
        return [{ path: handler.path, what }]
      })
    },
  },
  {
    id: 'two-rewriters',
    severity: 'warning',
    title: 'Two hooks that rewrite the same tool',
    why: 'All hooks get the original input, and the one that ends last wins. You cannot predict which one that is.',
    instead: 'Combine them into one hook, or let Holdpoint run them one after another with `rewrites: true`.',
    bad: example(['Bash', 'Bash'], ['sh a.sh', 'sh b.sh']),
    good: example(['Bash', 'Edit'], ['sh a.sh', 'sh b.sh']),
    find(file, { files, look }) {
      const rewrites = (handler: ClaudeHandler) => {
        const script = handler.event === 'PreToolUse' ? scriptOf(handler, look) : undefined
        return script !== undefined && /updatedInput/.test(look.script(script.path)?.text ?? '')
      }
      const rewriters = upTo(file, files)
        .filter(([handler]) => rewrites(handler))
        .slice(0, COMPARED_MAX)
      return rewriters.flatMap(([handler, where], index) => {
        const first = rewriters
          .slice(0, index)
          .find(
            ([other]) => commandKey(other) !== commandKey(handler) && canMeet(other.matcher, handler.matcher),
          )
        if (first === undefined || where !== file) return []
        return [
          {
            path: handler.path,
            what: `\`${(first[0].command ?? '').slice(0, 60)}\` rewrites this tool too.`,
          },
        ]
      })
    },
  },
]

/** More are not compared with each other: the work grows with the square of their number. */
const COMPARED_MAX = 300

/** The handlers of all files up to this one, in the order in which they are read. */
function upTo(
  file: ClaudeFile,
  files: LintContext['files'],
): readonly (readonly [ClaudeHandler, ClaudeFile])[] {
  return files
    .slice(0, files.indexOf(file) + 1)
    .flatMap((each) => each.handlers.map((handler) => [handler, each] as const))
}

/** Equal for handlers that Claude Code runs as one; undefined for handlers that start nothing. */
function commandKey({ event, command, value: { args, url, if: rule } }: ClaudeHandler): string | undefined {
  if (command === undefined && url === undefined) return undefined
  return JSON.stringify([event, command, args, url, rule])
}

function example(matchers: readonly [string, string], commands: readonly [string, string]): LintExample {
  const groups = commands.map((command, index) => ({
    matcher: matchers[index],
    hooks: [{ type: 'command', command }],
  }))
  const scripts = { 'a.sh': 'echo updatedInput', 'b.sh': 'echo updatedInput' }
  return { settings: JSON.stringify({ hooks: { PreToolUse: groups } }), scripts }
}
