import { ASKED, type Turn } from '../agents.ts'
import { fileIs, notRan, notTold, RAN, ran, recorded, told } from '../checks.ts'
import type { PolicyHook } from '../policy.ts'
import type { Chapter } from '../scenario.ts'

/** A tool call: before it, instead of it, after it. */

export const LEAVE_A_MARK = `echo original > ${RAN}`
const once: Readonly<Record<string, readonly Turn[]>> = { main: [{ do: [{ shell: LEAVE_A_MARK }] }] }

export const DENY: PolicyHook = {
  on: 'PreToolUse',
  id: 'test/deny',
  match: 'Bash',
  answer: { decision: 'block', reason: 'Red tape: not today.' },
}
export const ASK: PolicyHook = {
  on: 'PreToolUse',
  id: 'test/ask',
  match: 'Bash',
  answer: { permissionDecision: 'ask', permissionDecisionReason: 'Amber tape: ask a person.' },
}
const rewritten = (more: object) => ({
  hookSpecificOutput: { ...more, updatedInput: { command: `echo rewritten > ${RAN}` } },
})
export const REWRITE: PolicyHook = {
  on: 'PreToolUse',
  id: 'test/rewrite',
  match: 'Bash',
  rewrites: true,
  answer: rewritten({}),
}
const GRANTED_REWRITE: PolicyHook = {
  ...REWRITE,
  grants: true,
  answer: rewritten({ permissionDecision: 'allow', permissionDecisionReason: 'Fine when changed.' }),
}
export const OUTPUT: PolicyHook = {
  on: 'PostToolUse',
  id: 'test/output',
  match: 'Bash',
  // The shape of this tool's result on Claude Code, which refuses any other.
  answer: {
    hookSpecificOutput: {
      updatedToolOutput: { stdout: 'What the hook wrote.', stderr: '', interrupted: false, isImage: false },
    },
  },
}

const WITHHELD = 'Green light.'
const GRANT: PolicyHook = {
  on: 'PreToolUse',
  id: 'test/grant',
  grants: true,
  answer: { permissionDecision: 'allow', permissionDecisionReason: WITHHELD },
}
const NOBODY_ASKED = 'started with `exec` it asks nobody, so there is no such event'
const FORCE_PUSH = `git push --force origin main; ${LEAVE_A_MARK}`

export const tools: Chapter = {
  title: 'A tool call',
  scenarios: [
    {
      name: 'nothing objects',
      policy: { packs: { safety: true, secrets: true } },
      script: once,
      expected: {
        'claude-code': [ran(), recorded({ event: 'PreToolUse', tool: 'Bash', effect: 'pass', by: 'main' })],
        codex: [ran(), recorded({ event: 'PreToolUse', tool: 'Bash', effect: 'pass', by: 'main' })],
      },
    },
    {
      name: 'a built-in guard denies a command',
      policy: { packs: { safety: true } },
      script: { main: [{ do: [{ shell: FORCE_PUSH }] }] },
      expected: {
        'claude-code': [
          notRan(),
          told('Force push: this overwrites'),
          recorded({ event: 'PreToolUse', effect: 'deny', because: 'safety/git/force-push' }),
        ],
        codex: [
          notRan(),
          told('Force push: this overwrites'),
          recorded({ event: 'PreToolUse', effect: 'deny', because: 'safety/git/force-push' }),
        ],
      },
    },
    {
      name: 'a built-in guard denies the editing tool',
      policy: { packs: { secrets: { level: 'strict', guards: { 'secrets/env-file/write': 'deny' } } } },
      script: { main: [{ do: [{ write: '.env', text: 'TOKEN=1' }] }] },
      expected: {
        'claude-code': [
          notRan('.env', 'not written'),
          told('Changing an environment file'),
          recorded({ tool: 'Write', effect: 'deny', because: 'secrets/env-file/write' }),
        ],
        codex: [
          notRan('.env', 'not written'),
          told('Changing an environment file'),
          recorded({ effect: 'deny', because: 'secrets/env-file/write' }),
        ],
      },
    },
    {
      name: 'a hook denies',
      policy: { hooks: [DENY] },
      script: once,
      expected: {
        'claude-code': [notRan(), told('Red tape'), recorded({ effect: 'deny', because: 'test/deny' })],
        codex: [notRan(), told('Red tape'), recorded({ effect: 'deny', because: 'test/deny' })],
      },
    },
    {
      name: 'a hook asks',
      policy: { hooks: [ASK] },
      script: once,
      expected: {
        'claude-code': [
          notRan(RAN, 'nobody is there to say yes, so not run'),
          told('Amber tape'),
          recorded({ effect: 'ask', because: 'test/ask' }),
        ],
        codex: [
          notRan(RAN, 'becomes deny: not run'),
          told('Amber tape'),
          recorded({ effect: 'deny', because: 'test/ask', downgraded: 'ask to deny' }),
        ],
      },
    },
    {
      name: 'a hook rewrites the call',
      policy: { hooks: [REWRITE] },
      script: once,
      expected: {
        'claude-code': [fileIs(RAN, 'rewritten\n', 'runs as rewritten'), recorded({ effect: 'pass' })],
        codex: [
          notRan(RAN, 'becomes deny: not run'),
          told('echo rewritten'),
          recorded({ effect: 'deny', downgraded: 'rewrite to deny' }),
        ],
      },
    },
    {
      name: 'a hook that may grant rewrites the call and allows it',
      policy: { hooks: [GRANTED_REWRITE] },
      script: once,
      expected: {
        'claude-code': [fileIs(RAN, 'rewritten\n', 'runs as rewritten'), recorded({ effect: 'allow' })],
        codex: [fileIs(RAN, 'rewritten\n', 'runs as rewritten'), recorded({ because: 'test/rewrite' })],
      },
    },
    {
      name: 'a hook replaces the output of the tool',
      policy: { hooks: [OUTPUT] },
      script: { main: [{ do: [{ shell: `${LEAVE_A_MARK}; echo what the tool printed` }] }] },
      expected: {
        'claude-code': [ran(), told('What the hook wrote.'), notTold('what the tool printed\n')],
        codex: [
          ran(),
          told('what the tool printed'),
          recorded(
            { event: 'PostToolUse', downgraded: 'output' },
            'the output stays, and the journal says so',
          ),
        ],
      },
    },
    {
      name: 'the agent is about to ask a person, and a hook denies',
      policy: { hooks: [{ ...DENY, on: 'PermissionRequest' }] },
      script: { main: [{ do: [{ shell: `${ASKED} asked` }] }] },
      expected: {
        'claude-code': [
          notRan('asked'),
          told('Red tape'),
          recorded({ event: 'PermissionRequest', effect: 'deny', because: 'test/deny' }),
        ],
        codex: { cannot: NOBODY_ASKED },
      },
    },
    {
      name: 'the agent is about to ask a person, and a hook that may grant allows',
      policy: { hooks: [{ ...GRANT, on: 'PermissionRequest' }] },
      script: { main: [{ do: [{ shell: `${ASKED} asked` }] }] },
      expected: {
        'claude-code': [ran('asked'), recorded({ event: 'PermissionRequest', effect: 'allow' })],
        codex: { cannot: NOBODY_ASKED },
      },
    },
    {
      name: 'two calls at once, one denied',
      policy: { packs: { safety: true } },
      script: { main: [{ do: [{ shell: FORCE_PUSH }, { shell: 'echo other > other.txt' }] }] },
      expected: {
        'claude-code': [notRan(RAN, 'the one is not run'), ran('other.txt', 'the other runs')],
        codex: [notRan(RAN, 'the one is not run'), ran('other.txt', 'the other runs')],
      },
    },
    {
      name: 'two hooks disagree: one grants, one denies',
      policy: {
        hooks: [GRANT, DENY],
      },
      script: once,
      expected: {
        'claude-code': [
          notRan(),
          told('Red tape'),
          notTold(WITHHELD),
          recorded({ effect: 'deny', because: 'test/deny' }),
        ],
        codex: [
          notRan(),
          told('Red tape'),
          notTold(WITHHELD),
          recorded({ effect: 'deny', because: 'test/deny' }),
        ],
      },
    },
  ],
}
