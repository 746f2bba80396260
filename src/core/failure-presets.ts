import { FAILURE_KINDS, type FailureKind, type FailurePolicy, type OnFailure } from './hook.ts'

/**
 * Named failure policies, as data: the effect of each kind of failure in the workflows that Holdpoint replaces.
 * A finding of a working hook is not a failure, so no preset changes it. A `pass` is always shown to the user and
 * recorded. Each hook has its own preset, independent of other hooks at the same event.
 */
export const FAILURE_PRESETS = {
  /** For an orchestrator that must not act by itself: every failure blocks the call. */
  mux: all('deny'),
  /** For notes about the work: an error never blocks an agent. */
  scratchpad: all('pass'),
  /** A hook that cannot be loaded is a configuration error and denies. A hook that fails while it runs does not. */
  massgen: { ...all('pass'), import: 'deny' },
  /** Unreadable input is logged, invalid input is denied, a crash is retried once, a timeout passes. */
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

/** The forms of `onFailure`: one policy for all kinds, a preset, or single kinds on top of a preset or the default. */
export type WrittenOnFailure =
  | FailurePolicy
  | FailurePreset
  | ({ readonly preset?: FailurePreset } & Partial<OnFailure>)

/** The configured policy for each kind. A kind that is not configured is missing: the event's default applies. */
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
