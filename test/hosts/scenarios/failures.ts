import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Turn } from '../agents.ts'
import { type Check, notRan, quiet, RAN, ran, recorded, told, turns } from '../checks.ts'
import type { PolicyHook } from '../policy.ts'
import type { Chapter } from '../scenario.ts'
import { DENY, LEAVE_A_MARK } from './tools.ts'

/** Hooks that cannot answer, with each failure policy; and a broken Holdpoint. */

const WAYS = ['crash', 'hang', 'garbage'] as const
type Way = (typeof WAYS)[number]

const KINDS: Readonly<Record<Way, string>> = { crash: 'crash', hang: 'timeout', garbage: 'invalidOutput' }

/** One call for each kind of failure. The hooks fail in the way that the command says. */
const script: Readonly<Record<string, readonly Turn[]>> = {
  main: WAYS.map((way) => ({ do: [{ shell: `echo ran > ${way}.txt` }] })),
}
const BREAKING = `case "$event" in
  *crash.txt*) echo lost >&2; exit 1 ;;
  *garbage.txt*) echo '{"permissionDecision": "alow"}' ;;
esac`
const HANGING = 'case "$event" in *hang.txt*) sleep 300 ;; esac'

/** Only the hook that hangs has a short timeout, so that a slow machine changes no other answer. */
function failing(onFailure: NonNullable<PolicyHook['onFailure']>): readonly PolicyHook[] {
  const hook = { on: 'PreToolUse', match: 'Bash', onFailure }
  return [
    { ...hook, id: 'test/breaking', answer: BREAKING },
    { ...hook, id: 'test/hanging', answer: HANGING, timeoutMs: 1_000 },
  ]
}

const hookOf = (way: Way) => (way === 'hang' ? 'test/hanging' : 'test/breaking')

/** None of the three calls runs, and the model gets the name of the program that could not answer. */
function stopped(effect: string): readonly Check[] {
  return WAYS.flatMap((way, index) => [
    notRan(`${way}.txt`, `${way}: not run`),
    quiet(told(hookOf(way), { step: index + 1 })),
    recorded({ effect, failed: `${hookOf(way)}: ${KINDS[way]}` }),
  ])
}

const letThrough: readonly Check[] = WAYS.flatMap((way) => [
  ran(`${way}.txt`, `${way}: runs`),
  recorded({ effect: 'pass', failed: `${hookOf(way)}: ${KINDS[way]}` }, `journal: \`${KINDS[way]}\``),
])

const withoutDaemon: readonly Check[] = [
  quiet(ran('killed.txt')),
  notRan(RAN, 'the hook judges by itself: not run'),
  told('Force push: this overwrites', { step: 2 }),
  recorded({ event: 'PreToolUse', effect: 'deny', because: 'safety/git/force-push' }),
]

const FAILS_ONCE = '[ -e tried.txt ] || { touch tried.txt; exit 1; }'

export const failures: Chapter = {
  title: 'A hook that cannot answer',
  scenarios: [
    {
      name: '`onFailure: deny`',
      policy: { hooks: failing('deny') },
      script,
      expected: { 'claude-code': stopped('deny'), codex: stopped('deny') },
    },
    {
      name: '`onFailure: ask`',
      policy: { hooks: failing('ask') },
      script,
      expected: { 'claude-code': stopped('ask'), codex: stopped('deny') },
    },
    {
      name: '`onFailure: pass`',
      policy: { hooks: failing('pass') },
      script,
      expected: { 'claude-code': letThrough, codex: letThrough },
    },
    {
      name: '`onFailure: { retry: 1, then: deny }`, failing for good',
      policy: { hooks: failing({ retry: 1, then: 'deny' }) },
      script,
      expected: { 'claude-code': stopped('deny'), codex: stopped('deny') },
    },
    {
      name: '`onFailure: { retry: 1, then: deny }`, failing once',
      policy: {
        hooks: [
          { on: 'PreToolUse', id: 'test/once', answer: FAILS_ONCE, onFailure: { retry: 1, then: 'deny' } },
        ],
      },
      script: { main: [{ do: [{ shell: LEAVE_A_MARK }] }] },
      expected: {
        'claude-code': [ran('tried.txt', 'asked again'), ran()],
        codex: [ran('tried.txt', 'asked again'), ran()],
      },
    },
    {
      name: "Holdpoint's own configuration is broken from the start",
      policy: {},
      arrange: (sandbox) => {
        // Without an earlier plan that could be used instead.
        rmSync(join(sandbox.places.holdpoint, 'cache'), { recursive: true, force: true })
        sandbox.write(join(sandbox.places.holdpoint, 'config.yaml'), 'hooks: [unfinished\n')
      },
      script: { main: [{ do: [{ shell: LEAVE_A_MARK }] }] },
      expected: {
        'claude-code': [notRan(), turns(0, 'the prompt is stopped before the model is asked')],
        codex: [notRan(), turns(0, 'the prompt is stopped before the model is asked')],
      },
    },
    {
      name: "Holdpoint's own program is gone",
      policy: {},
      arrange: (sandbox) => rmSync(join(sandbox.places.holdpoint, 'bin', 'holdpoint-hook')),
      script: { main: [{ do: [{ shell: LEAVE_A_MARK }] }] },
      expected: {
        'claude-code': [notRan(), turns(0, 'the prompt is stopped before the model is asked')],
        codex: [notRan(), turns(0, 'the prompt is stopped before the model is asked')],
      },
    },
    {
      name: "Holdpoint's own process is killed",
      policy: {},
      arrange: (sandbox) =>
        sandbox.write(join(sandbox.places.holdpoint, 'bin', 'holdpoint-hook'), '#!/bin/sh\nkill -9 $$\n'),
      script: { main: [{ do: [{ shell: LEAVE_A_MARK }] }] },
      expected: {
        'claude-code': [notRan(), turns(0, 'the prompt is stopped before the model is asked')],
        codex: [notRan(), turns(0, 'the prompt is stopped before the model is asked')],
      },
    },
    {
      name: "Holdpoint's daemon is killed in the middle of the session",
      policy: { packs: { safety: true } },
      arrange: (sandbox) => sandbox.holdpoint(['daemon', 'start', '--home', sandbox.places.holdpoint]),
      script: {
        main: [
          {
            do: [{ shell: "kill -9 $(cut -d' ' -f1 ../holdpoint/run/daemon.pid) && echo gone > killed.txt" }],
          },
          { do: [{ shell: `git push --force origin main; ${LEAVE_A_MARK}` }] },
        ],
      },
      expected: { 'claude-code': withoutDaemon, codex: withoutDaemon },
    },
    {
      name: "Holdpoint's own configuration breaks during the session",
      policy: { hooks: [{ ...DENY, match: 'Write' }] },
      script: {
        main: [
          { do: [{ shell: "echo 'hooks: [unfinished' > ../holdpoint/config.yaml" }] },
          { do: [{ write: 'late.txt', text: 'late' }] },
        ],
      },
      expected: {
        'claude-code': [
          notRan('late.txt', 'the last good policies hold: not written'),
          told('Red tape', { step: 2 }),
        ],
        codex: [
          notRan('late.txt', 'the last good policies hold: not written'),
          told('Red tape', { step: 2 }),
        ],
      },
    },
  ],
}
