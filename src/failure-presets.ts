import { FAILURE_KINDS, type FailureKind, type FailurePolicy, type OnFailure } from './hook.ts'

/**
 * Ways to fail that have a name, as data: what each kind of failure becomes in the workflows Holdpoint took over.
 * What a working hook finds is not a failure; no preset touches it. A `pass` is always told to the person and
 * recorded. Each hook keeps its own preset, whatever others at the same event have.
 */
export const FAILURE_PRESETS = {
  /** An orchestrator that must not act by itself: whatever goes wrong, the call is stopped. */
  mux: all('deny'),
  /** Notes beside the work: an error of theirs never leaves an agent stuck. */
  scratchpad: all('pass'),
  /** What cannot be loaded is a mistake in the configuration and denies; what breaks while it runs does not. */
  massgen: { ...all('pass'), import: 'deny' },
  /** Unreadable input is logged, wrong input is stopped, a crash gets one more try, a slow hook is let go. */
  collective: {
    parse: 'pass',
    validation: 'deny',
    crash: { retry: 1, then: 'pass' },
    invalidOutput: { retry: 1, then: 'pass' },
    import: { retry: 1, then: 'pass' },
    timeout: 'pass',
    state: 'pass',
    untrusted: 'pass',
  },
} as const satisfies Readonly<Record<string, OnFailure>>

export type FailurePreset = keyof typeof FAILURE_PRESETS

export const PRESET_NAMES = Object.keys(FAILURE_PRESETS) as readonly FailurePreset[]

/** `onFailure` as people write it: one policy for all kinds, a preset, or single kinds over a preset or the default. */
export type WrittenOnFailure =
  | FailurePolicy
  | FailurePreset
  | ({ readonly preset?: FailurePreset } & Partial<OnFailure>)

/** What was written, kind by kind. A kind nobody spoke of is missing: the event's default holds for it. */
export function readOnFailure(written: WrittenOnFailure): Partial<OnFailure> {
  if (typeof written === 'string') return isPreset(written) ? FAILURE_PRESETS[written] : all(written)
  if ('retry' in written) return all(written)
  const { preset, ...kinds } = written
  return { ...(preset === undefined ? {} : FAILURE_PRESETS[preset]), ...kinds }
}

function isPreset(word: string): word is FailurePreset {
  return Object.hasOwn(FAILURE_PRESETS, word)
}

function all(policy: FailurePolicy): OnFailure {
  return Object.fromEntries(
    FAILURE_KINDS.map((kind): [FailureKind, FailurePolicy] => [kind, policy]),
  ) as OnFailure
}
