import { defineHook, type HookAnswer } from '../core/define-hook.ts'
import type { EventKind } from '../core/event.ts'
import type { RegisterOptions } from '../library/registration.ts'
import type { Runtime } from '../library/runtime.ts'
import type { Ability, SdkAbility } from './adapter.ts'

/**
 * One run of an agent whose model follows a script. Its tool `note` takes a text and answers `noted <text>`.
 */
export interface Scenario {
  /** What the hooks of this scene log about the events they get. */
  arrange(runtime: Runtime, log: string[]): void
  /**
   * The calls of each turn of the model; missing: one call with `a`. The text `fail` makes the tool throw.
   */
  readonly turns?: readonly (readonly Act[])[]
  readonly person?: boolean
  /** The tool asks for permission itself. */
  readonly ownQuestion?: true
  /** The run is cancelled as soon as a hook has written to the log. */
  readonly cancelled?: true
  /** The prompt, if it is not the default. */
  readonly prompt?: 'compact'
}

export type Act = { readonly note: string } | { readonly delegate: readonly (readonly Act[])[] }

/** What happened in the run: observed at the tool, the model and the user, never at the adapter. */
export interface Seen {
  /** The texts that the tool really ran with. */
  readonly ran: readonly string[]
  /** What the model of the main agent got, inside or outside of a tool's result. */
  readonly told: readonly { readonly place: 'result' | 'message'; readonly text: string }[]
  /** The reasons that the user was shown. */
  readonly asked: readonly string[]
  readonly notices: readonly string[]
  /** How often the main agent's model was called. */
  readonly requests: number
}

/** The scenes of the contract suite: for each ability what is played, and what must be observed. */
export interface AbilityCase {
  readonly title: string
  readonly scene: Scenario
  shows(seen: Seen, log: readonly string[]): Verdict
}

type Verdict = Ability['can']

const yesIf = (isShown: boolean): Verdict => (isShown ? 'yes' : 'no')

const toldIn = ({ told }: Seen, text: string, place?: 'result' | 'message') =>
  told.some((each) => each.text.includes(text) && (place === undefined || each.place === place))

type Answer = HookAnswer | undefined | Promise<HookAnswer | undefined>

/** A hook only for calls of `note`: an agent has other tools too. */
function onNote(
  kind: 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure',
  answer: (text: string, log: string[]) => Answer,
  options: RegisterOptions = {},
): Scenario['arrange'] {
  return (runtime, log) => {
    const run = ({ tool }: { readonly tool: { readonly input: { readonly text?: unknown } } }) =>
      typeof tool.input.text === 'string' ? answer(tool.input.text, log) : undefined
    runtime.register(defineHook({ on: kind, run }), { id: `team/${kind}`, ...options })
  }
}

function logging(...kinds: readonly EventKind[]): Scenario['arrange'] {
  return (runtime, log) => {
    runtime.register(defineHook({ on: kinds, run: (event) => void log.push(event.kind) }))
  }
}

const ask = onNote('PreToolUse', () => ({ ask: 'Is that meant?' }))

export const SCENARIOS: Readonly<Record<SdkAbility, readonly AbilityCase[]>> = {
  deny: [
    {
      title: 'the tool does not run',
      scene: { arrange: onNote('PreToolUse', () => ({ deny: 'not in this project' })) },
      shows: (seen) => yesIf(seen.ran.length === 0 && toldIn(seen, 'not in this project', 'result')),
    },
  ],
  ask: [
    {
      title: 'a yes',
      scene: { arrange: ask, person: true },
      shows: ({ ran, asked }) => yesIf(ran.join() === 'a' && asked.join().includes('Is that meant?')),
    },
    {
      title: 'a no',
      scene: { arrange: ask, person: false },
      shows: ({ ran, asked }) => yesIf(ran.length === 0 && asked.join().includes('Is that meant?')),
    },
  ],
  allow: [
    {
      title: 'the user is not asked',
      scene: {
        arrange: onNote('PreToolUse', () => ({ allow: true }), { grants: true }),
        ownQuestion: true,
        person: false,
      },
      shows: ({ ran, asked }) => yesIf(ran.join() === 'a' && asked.length === 0),
    },
  ],
  rewrite: [
    {
      title: 'the tool runs with the changed input',
      scene: { arrange: onNote('PreToolUse', () => ({ rewrite: { text: 'b' } })) },
      shows: ({ ran }) => yesIf(ran.join() === 'b'),
    },
  ],
  parallel: [
    {
      title: 'one of three is denied',
      scene: {
        arrange: onNote('PreToolUse', async (text) => (text === 'b' ? { deny: 'not b' } : undefined)),
        turns: [[{ note: 'a' }, { note: 'b' }, { note: 'c' }]],
      },
      shows: (seen) => yesIf([...seen.ran].sort().join() === 'a,c' && toldIn(seen, 'not b')),
    },
  ],
  output: [
    {
      title: 'the model sees the changed output',
      scene: { arrange: onNote('PostToolUse', () => ({ effect: 'pass', output: 'masked' })) },
      shows: (seen) => yesIf(toldIn(seen, 'masked', 'result') && !toldIn(seen, 'noted a')),
    },
  ],
  withhold: [
    {
      title: 'the model reads the reason',
      scene: { arrange: onNote('PostToolUse', () => ({ deny: 'not for you' })) },
      shows: (seen) => (!toldIn(seen, 'not for you') ? 'no' : toldIn(seen, 'noted a') ? 'partly' : 'yes'),
    },
  ],
  failure: [
    {
      title: 'the model reads the error and the text',
      scene: {
        arrange: onNote('PostToolUseFailure', () => ({ context: 'see the manual' })),
        turns: [[{ note: 'fail' }]],
      },
      shows: (seen) => yesIf(toldIn(seen, 'the tool broke') && toldIn(seen, 'see the manual')),
    },
  ],
  toolResult: [
    {
      title: 'next to the output',
      scene: { arrange: onNote('PostToolUse', () => injected('tool_result')) },
      shows: (seen) =>
        toldIn(seen, 'keep in mind', 'result') ? 'yes' : toldIn(seen, 'keep in mind') ? 'partly' : 'no',
    },
  ],
  userMessage: [
    {
      title: 'after the results',
      scene: { arrange: onNote('PostToolUse', () => injected('user_message')) },
      shows: (seen) =>
        toldIn(seen, 'keep in mind', 'message') ? 'yes' : toldIn(seen, 'keep in mind') ? 'partly' : 'no',
    },
  ],
  notice: [
    {
      title: 'a warning',
      scene: { arrange: onNote('PreToolUse', () => ({ warn: 'have a look' })) },
      shows: ({ ran, notices }) => yesIf(ran.join() === 'a' && notices.join().includes('have a look')),
    },
  ],
  subagent: [
    {
      title: 'its call is denied, the main agent’s is not',
      scene: {
        arrange: (runtime) => {
          runtime.register(
            defineHook({
              on: 'PreToolUse',
              run: ({ tool, agentId }) =>
                'text' in tool.input && agentId !== undefined ? { deny: 'not as a helper' } : undefined,
            }),
          )
        },
        turns: [[{ delegate: [[{ note: 'inner' }]] }], [{ note: 'outer' }]],
      },
      shows: ({ ran }) => yesIf(ran.join() === 'outer'),
    },
  ],
  subagentEvents: [
    {
      title: 'both are seen',
      scene: {
        arrange: logging('SubagentStart', 'SubagentStop'),
        turns: [[{ delegate: [[{ note: 'inner' }]] }]],
      },
      shows: (_seen, log) => yesIf(log.join() === 'SubagentStart,SubagentStop'),
    },
  ],
  halt: [
    {
      title: 'the model is not called again',
      scene: {
        arrange: onNote('PostToolUse', () => ({ effect: 'pass', halt: 'that is enough' })),
        turns: [[{ note: 'a' }], [{ note: 'b' }]],
      },
      shows: ({ ran, requests }) => yesIf(ran.join() === 'a' && requests === 1),
    },
  ],
  cancel: [
    {
      title: 'while a hook does not answer',
      scene: {
        arrange: (runtime, log) => {
          const hang = onNote('PreToolUse', () => {
            log.push('begun')
            return new Promise(() => {})
          })
          hang(runtime, log)
          // A caller that waits for the hook would see its timeout.
          runtime.trace(({ outcome }) => log.push(outcome))
        },
        cancelled: true,
      },
      shows: ({ ran }, log) => yesIf(ran.length === 0 && log.join() === 'begun'),
    },
  ],
  prompt: [
    {
      title: 'it is denied before the model is called',
      scene: {
        arrange: (runtime) => {
          runtime.register(defineHook({ on: 'UserPromptSubmit', run: () => ({ deny: 'not this prompt' }) }))
        },
      },
      shows: ({ requests }) => yesIf(requests === 0),
    },
  ],
  stop: [
    {
      title: 'the agent continues once',
      scene: {
        arrange: (runtime, log) => {
          const run = () => (log.push('stop') === 1 ? { deny: 'not finished yet' } : undefined)
          runtime.register(defineHook({ on: 'Stop', run }))
        },
      },
      shows: (seen, log) => yesIf(log.length === 2 && toldIn(seen, 'not finished yet')),
    },
  ],
  session: [
    {
      title: 'both are seen',
      scene: { arrange: logging('SessionStart', 'SessionEnd') },
      shows: (_seen, log) => yesIf(log.join() === 'SessionStart,SessionEnd'),
    },
  ],
  compaction: [
    {
      title: 'it is seen',
      scene: { arrange: logging('PreCompact'), prompt: 'compact' },
      shows: (_seen, log) => yesIf(log.length === 1),
    },
  ],
}

function injected(strategy: 'tool_result' | 'user_message'): HookAnswer {
  return { effect: 'pass', context: [{ text: 'keep in mind', to: 'self', strategy }] }
}

/** Hooks that fail before a call: the default is deny. */
export const FAILURES: readonly {
  readonly title: string
  readonly scene: Scenario
  readonly says: string
}[] = [
  {
    title: 'it throws',
    scene: {
      arrange: onNote('PreToolUse', () => {
        throw new Error('out of paper')
      }),
    },
    says: 'out of paper',
  },
  {
    title: 'it rejects',
    scene: {
      arrange: onNote('PreToolUse', async () => {
        throw new Error('out of ink')
      }),
    },
    says: 'out of ink',
  },
  {
    title: 'it never settles',
    scene: { arrange: onNote('PreToolUse', () => new Promise(() => {}), { timeoutMs: 100 }) },
    says: 'timeout',
  },
  {
    title: 'it gives an unknown answer',
    scene: { arrange: onNote('PreToolUse', () => ({ effect: 'perhaps' as never })) },
    says: 'invalidOutput',
  },
  {
    title: 'it does not return an object',
    scene: { arrange: onNote('PreToolUse', () => 42 as never) },
    says: 'invalidOutput',
  },
]
