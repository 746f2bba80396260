import type { Check, LintContext, LintExample, LintMatch } from './check.ts'
import type { ClaudeFile, ClaudeHandler } from './claude-file.ts'
import { type Script, scriptOf } from './script.ts'

/** The scripts that hooks name, and what the readable ones answer. */
export const SCRIPT_CHECKS: readonly Check[] = [
  {
    id: 'script-missing',
    severity: 'error',
    title: 'A script that does not exist',
    why: 'If the hook cannot be started, the call continues, and Claude Code does not say so.',
    instead: 'Correct the path, or remove the hook.',
    bad: example('"$CLAUDE_PROJECT_DIR"/.claude/hooks/gone.sh'),
    good: example('"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', guardScript('exit 2')),
    find: eachScript(({ script, handler, found }) =>
      found === undefined
        ? [{ path: handler.path, what: `${script.path.slice(0, 200)} does not exist.` }]
        : [],
    ),
  },
  {
    id: 'script-not-executable',
    severity: 'error',
    title: 'A script that is not executable',
    why: 'The shell cannot start the script, and the call continues.',
    instead: 'Run `chmod +x` on it, or start it with its interpreter.',
    bad: example('/srv/project/.claude/hooks/guard.sh', { '.claude/hooks/guard.sh': 'exit 2' }),
    good: example('sh /srv/project/.claude/hooks/guard.sh', { '.claude/hooks/guard.sh': 'exit 2' }),
    find: eachScript(({ script, handler, found }) =>
      script.isProgram && found?.isExecutable === false
        ? [{ path: handler.path, what: `${script.path.slice(0, 200)} is not executable.` }]
        : [],
    ),
  },
  {
    id: 'relative-script',
    severity: 'warning',
    title: 'A relative path to a script',
    why: 'Hooks start in the current folder of the session, which changes with `cd`. Then the script is not found, and the call continues.',
    instead: 'Write `"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh`.',
    bad: example('.claude/hooks/guard.sh', guardScript('exit 2')),
    good: example('"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', guardScript('exit 2')),
    find: eachScript(({ script, handler }) =>
      script.isRelative
        ? [{ path: handler.path, what: `\`${script.written.slice(0, 200)}\` is a relative path.` }]
        : [],
    ),
  },
  {
    id: 'wrong-decision-word',
    severity: 'error',
    title: 'A script that answers with an unknown decision',
    why: 'Claude Code knows `permissionDecision: allow | deny | ask` and the older `decision: approve | block`. Any other value is an error of the hook, and the tool runs.',
    instead:
      'Print `{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "…"}}`.',
    bad: example(
      '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh',
      guardScript('echo \'{"decision": "deny"}\''),
    ),
    good: example(
      '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh',
      guardScript('echo \'{"decision": "block"}\''),
    ),
    find: eachScript(({ handler, found }) => {
      if (handler.event !== 'PreToolUse') return []
      const words = wrongWords(found?.text ?? '')
      return words.map((word) => ({ path: handler.path, what: `The script answers \`${word}\`.` }))
    }),
  },
  {
    id: 'exit-1',
    severity: 'error',
    title: 'A guard that blocks with exit 1',
    why: 'Only exit code 2 blocks. Any other exit code is an error of the hook, and the tool runs.',
    instead: 'Write the reason to standard error and exit with 2.',
    bad: example(
      '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh',
      guardScript('echo "not allowed" >&2\nexit 1'),
    ),
    good: example(
      '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh',
      guardScript('echo "not allowed" >&2\nexit 2'),
    ),
    find: eachScript(({ handler, found }) => {
      const text = found?.text ?? ''
      return BLOCKING.has(handler.event) && EXIT_1.test(text) && !ANSWERS.test(text)
        ? [{ path: handler.path, what: 'The script exits with 1 and has no other way to block.' }]
        : []
    }),
  },
  {
    id: 'continue-false',
    severity: 'error',
    title: 'A guard that blocks with `continue: false`',
    why: 'At PreToolUse the tool still runs, and then the session ends.',
    instead: 'Exit with 2, or answer `permissionDecision: "deny"`.',
    bad: example('"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', guardScript('echo \'{"continue": false}\'')),
    good: example('"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh', guardScript('exit 2')),
    find: eachScript(({ handler, found }) => {
      const text = found?.text ?? ''
      return handler.event === 'PreToolUse' && CONTINUE_FALSE.test(text) && !ANSWERS.test(text)
        ? [{ path: handler.path, what: 'The script has no other way to block than `continue: false`.' }]
        : []
    }),
  },
]

const BLOCKING: ReadonlySet<string> = new Set(['PreToolUse', 'UserPromptSubmit', 'Stop', 'SubagentStop'])
const EXIT_1 = /\bexit\s*\(?\s*1\b/
const ANSWERS = /\bexit\s*\(?\s*2\b|permissionDecision|["']?decision["']?\s*[:=]|exitCode\s*=\s*2/
const CONTINUE_FALSE = /["']?continue["']?\s*:\s*(?:false|False)\b/

/** Quotes may be escaped, as in a shell script that prints JSON. */
const PERMISSION = /permissionDecision\\?["']?\s*[:=]\s*\\?["'](\w+)/g
const DECISION = /(?<![A-Za-z])decision\\?["']?\s*:\s*\\?["'](\w+)/g
const PERMISSION_WORDS: ReadonlySet<string> = new Set(['allow', 'deny', 'ask', 'defer'])
const DECISION_WORDS: ReadonlySet<string> = new Set(['approve', 'block'])

function wrongWords(text: string): readonly string[] {
  const wrong = (pattern: RegExp, key: string, known: ReadonlySet<string>) =>
    [...text.matchAll(pattern)]
      .map(([, word = '']) => word)
      .filter((word) => !known.has(word))
      .map((word) => `${key}: ${word}`)
  return [
    ...new Set([
      ...wrong(PERMISSION, 'permissionDecision', PERMISSION_WORDS),
      ...wrong(DECISION, 'decision', DECISION_WORDS),
    ]),
  ]
}

interface Seen {
  readonly handler: ClaudeHandler
  readonly script: Script
  readonly found: { readonly text: string; readonly isExecutable: boolean } | undefined
}

function eachScript(
  say: (seen: Seen) => readonly LintMatch[],
): (file: ClaudeFile, around: LintContext) => readonly LintMatch[] {
  return ({ handlers }, { look }) =>
    handlers.flatMap((handler) => {
      const script = scriptOf(handler, look)
      return script === undefined ? [] : say({ handler, script, found: look.script(script.path) })
    })
}

function example(command: string, scripts: Readonly<Record<string, string>> = {}): LintExample {
  const handler = { type: 'command', command, timeout: 10, onFailure: 'block' }
  return {
    settings: JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [handler] }] } }),
    scripts,
  }
}

function guardScript(body: string): Readonly<Record<string, string>> {
  return { '.claude/hooks/guard.sh': `#!/bin/sh\n${body}\n` }
}
