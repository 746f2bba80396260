import type { Conversations } from '../agent-setup.ts'
import type { Places, Turn } from '../agents.ts'
import { type Check, notRan, notRecorded, ran, recorded } from '../checks.ts'
import { BEHAVIOURS } from '../dialects/behaviours.ts'
import { answering, type Episode, episodesFor, mark, UNTIL_NOTES, work } from '../dialects/episodes.ts'
import { type DialectProgram, isNotTried } from '../dialects/program.ts'
import type { Policy } from '../policy.ts'
import type { Run } from '../sandbox.ts'

/**
 * The short depth: one start of a program shows most of what it must do, and a second one that nothing is held after
 * `uninstall`. Starting a program is what takes time; a turn of its model takes none.
 */
export const PARTS = {
  install: '`init` installs its hooks, and a call to which nobody objects runs',
  deny: BEHAVIOURS.deny,
  ask: BEHAVIOURS.ask,
  crash: 'a hook that crashes (`onFailure: deny`)',
  self: BEHAVIOURS.self,
  subagent: BEHAVIOURS.subagent,
  killed: "Holdpoint's processes are killed in the middle, and come back",
  stop: BEHAVIOURS.stop,
  uninstall: 'taken out: its files are as before, byte for byte, and nothing is held',
} as const

export type Part = keyof typeof PARTS

/** The conversation of the second start. */
export const AFTERWARDS = 'afterwards'

const RED = { decision: 'block', reason: 'Red tape: not today.' }
const AMBER = { permissionDecision: 'ask', permissionDecisionReason: 'Amber tape: ask a person.' }

export const POLICY: Policy = {
  packs: { self: true },
  hooks: [
    answering('PreToolUse', 'test/deny', 'deny.txt', RED),
    answering('PreToolUse', 'test/helper', 'helper.txt', RED),
    answering('PreToolUse', 'test/ask', 'ask.txt', AMBER),
    {
      ...{ on: 'PreToolUse', id: 'test/breaking', onFailure: 'deny' },
      answer: `case "$event" in *crash.txt*) exit 1 ;; *) echo '{}' ;; esac`,
    },
    { on: 'Stop', id: 'test/gate', answer: UNTIL_NOTES },
  ],
}

/** What happens to Holdpoint while the model answers. */
export interface Mishap {
  kill(): void
  repair(): void
}

type Steps = readonly (readonly [Part, readonly Turn[]])[]

/** The turns of the main agent, in order. */
export function stepsFor(program: DialectProgram, hookFile: string, { kill, repair }: Mishap): Steps {
  const call = (name: string, before?: () => void): Turn => ({
    ...(before === undefined ? {} : { say: () => saying(before) }),
    do: [{ shell: mark(name) }],
  })
  const gate: Steps = [['stop', [{ say: 'Finished.' }, work]]]
  const helper: Steps = isNotTried(program.expected.subagent)
    ? []
    : [['subagent', [{ do: [{ delegate: 'helper' }] }]]]
  return [
    ['deny', [call('deny')]],
    ['ask', [call('ask')]],
    // Some programs end after a few calls in a row that did not run.
    ['install', [call('allowed')]],
    ['crash', [call('crash')]],
    ['killed', [call('killed', kill), call('repaired', repair)]],
    ['self', [{ do: [{ shell: `rm -f ~/${hookFile}; ${mark('ran')}` }] }]],
    // What no gate holds is over when the model says so. Elsewhere the gate is open before a sub-agent starts.
    ...(program.lacks?.stop === undefined ? [...gate, ...helper] : [...helper, ...gate]),
  ]
}

function saying(act: () => void): string {
  act()
  return 'Next.'
}

export function scriptOf(steps: Steps): Conversations {
  return {
    main: steps.flatMap(([, turns]) => turns),
    helper: [{ do: [{ shell: mark('helper') }] }],
    // The hook that denied would also deny this one.
    [AFTERWARDS]: [{ do: [{ shell: mark('not-deny') }] }],
  }
}

/**
 * The run as if the conversation had begun with this part. So the checks of the full depth, which has a start of its own
 * for most parts, say the same here. A program may need several turns for one of the script.
 */
export function runFrom(run: Run, part: Part, steps: Steps, { agent }: DialectProgram, places: Places): Run {
  // The checks of these count the calls before them, which are the same here.
  if (part === 'deny' || part === 'ask') return run
  const at = steps.findIndex(([each]) => each === part)
  const before = steps.slice(0, Math.max(at, 0)).flatMap(([, turns]) => turns)
  const first = before.flatMap((turn) => agent.turns(turn, places)).length
  const requests = run.requests.flatMap((request) => {
    if (request.conversation !== 'main') return [request]
    return request.step < first ? [] : [{ ...request, step: request.step - first }]
  })
  return { ...run, requests }
}

/** What must be seen of each part. */
export function checksFor(
  program: DialectProgram,
  hookFile: string,
): Readonly<Record<Part, readonly Check[]>> {
  const most: Episode['shows'] = Object.assign({}, ...episodesFor(hookFile).map(({ shows }) => shows))
  const own = (part: 'deny' | 'ask' | 'self' | 'subagent' | 'stop'): readonly Check[] => {
    const expected = program.afterCalls?.[part] ?? program.expected[part] ?? most[part] ?? []
    return isNotTried(expected) ? (expected.instead ?? []) : expected
  }
  return {
    install: [ran('allowed.txt'), recorded({ event: 'PreToolUse', effect: 'pass', by: 'main' })],
    deny: own('deny'),
    ask: own('ask'),
    crash: [notRan('crash.txt'), recorded({ effect: 'deny', failed: 'test/breaking: crash' })],
    self: own('self'),
    subagent: own('subagent'),
    killed: [notRan('killed.txt'), ran('repaired.txt')],
    stop: own('stop'),
    uninstall: [ran('not-deny.txt'), notRecorded({})],
  }
}
