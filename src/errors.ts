/**
 * The one table of errors a person can meet. Codes are part of the interface: they are pinned by a test and
 * documented in docs/reference/errors.md. `fix` says what to do next.
 */
export const ERRORS = {
  PAYLOAD_EMPTY: {
    exit: 2,
    fix: 'Send one JSON object on standard input; check the hook command in the agent settings.',
  },
  PAYLOAD_TOO_LARGE: { exit: 2, fix: 'Make the call smaller, or split it.' },
  PAYLOAD_NOT_TEXT: {
    exit: 2,
    fix: 'The agent must send UTF-8 text. Update the agent, or report its version.',
  },
  PAYLOAD_NOT_JSON: {
    exit: 2,
    fix: 'The agent must send one JSON object. Run the hook by hand to see what it got.',
  },
  PAYLOAD_NOT_OBJECT: { exit: 2, fix: 'The agent must send one JSON object, not a list or a bare value.' },
  PAYLOAD_FIELD: {
    exit: 2,
    fix: 'The agent left out or changed a field the event needs. Check that its version is supported.',
  },
  INPUT_TIMEOUT: { exit: 2, fix: 'Whatever starts the hook must close its standard input.' },
  HOST_UNKNOWN: { exit: 2, fix: 'Use one of the hosts listed by `holdpoint hook --help`.' },
  EVENT_UNKNOWN: { exit: 2, fix: 'Pass --event with one of the known event names.' },
  OPTION_INVALID: { exit: 2, fix: 'See `holdpoint help` for the accepted values.' },
  CONFIG_UNREADABLE: { exit: 78, fix: 'Make the file readable for you, or remove it.' },
  CONFIG_TOO_LARGE: { exit: 78, fix: 'Split the configuration; one file may hold at most 1 MiB.' },
  CONFIG_NOT_YAML: { exit: 78, fix: 'Correct the YAML at the place named.' },
  CONFIG_VERSION: { exit: 78, fix: 'Write `version: 1` at the top of the file.' },
  CONFIG_KEY: { exit: 78, fix: 'Remove or correct the key; the accepted ones are listed.' },
  CONFIG_VALUE: { exit: 78, fix: 'Use one of the accepted values.' },
  CONFIG_MATCHER: { exit: 78, fix: 'Correct the pattern, or write plain names joined by `|`.' },
  CONFIG_WEAKER: {
    exit: 78,
    fix: 'A stronger layer asks for more; remove the weaker value or change it there.',
  },
  PACK_UNKNOWN: { exit: 78, fix: 'Use one of the packs listed.' },
  GUARD_UNKNOWN: { exit: 78, fix: 'Use one of the guards of that pack, as listed.' },
  PLAN_MISSING: { exit: 2, fix: 'Correct the configuration file named, then try again.' },
  HOOK_INVALID: { exit: 64, fix: 'Correct the hook or its options where they are registered.' },
  HOOK_DUPLICATE: { exit: 64, fix: 'Give each hook an id of its own, or unregister the first.' },
  HOOK_UNTRUSTED: { exit: 77, fix: 'Read the configuration, then run `holdpoint trust`.' },
  STATE_UNREADABLE: { exit: 74, fix: 'Check the folder named and its owner; `--home DIR` moves it.' },
  STATE_UNWRITABLE: {
    exit: 74,
    fix: 'Check free space, the folder named and its owner; `--home DIR` moves it.',
  },
  JOURNAL_UNREADABLE: {
    exit: 74,
    fix: 'Check the folder named; move the journal file away to start a new one.',
  },
  JOURNAL_BROKEN: {
    exit: 65,
    fix: 'The record was changed after it was written. Keep the file and find out who did it.',
  },
  DAEMON_FOLDER: {
    exit: 74,
    fix: 'Make it yours and closed to others (`chmod 700`), or remove it; hooks answer without a daemon meanwhile.',
  },
  DAEMON_SILENT: { exit: 69, fix: 'See `holdpoint daemon logs`; hooks answer without a daemon meanwhile.' },
  HTTP_PORT_TAKEN: {
    exit: 69,
    fix: 'Find out who listens there; `holdpoint init` without --http goes back to hooks that need no port.',
  },
  SERVER_UNSTARTED: {
    exit: 69,
    fix: 'Check the command after `--`, or the address after --url: without Holdpoint it must start too.',
  },
  FILE_OUTSIDE: { exit: 74, fix: 'A hook may write only inside the project.' },
  ROW_INVALID: { exit: 65, fix: 'Each line is a JSON object with `command` or `event`.' },
  RECORD_UNKNOWN: { exit: 66, fix: 'List the ids with `holdpoint log`.' },
  INTERNAL: { exit: 70, fix: 'This is a defect in Holdpoint. Please report it with the text above.' },
} as const satisfies Record<string, { exit: number; fix: string }>

export type ErrorCode = keyof typeof ERRORS

/** A thing that is wrong and can be told: a value, not an exception. */
export interface Problem {
  readonly code: ErrorCode
  /** One sentence: what was wrong, with the value seen. */
  readonly message: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
  readonly key?: string
  /** Overrides the table's advice where the place knows better. */
  readonly fix?: string
  /** `warning`: reported, nothing was left out. */
  readonly severity?: 'error' | 'warning'
}

export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem }

export function good<T>(value: T): Result<T> {
  return { ok: true, value }
}

export function bad(
  code: ErrorCode,
  message: string,
  where: Omit<Problem, 'code' | 'message'> = {},
): { ok: false; problem: Problem } {
  return { ok: false, problem: { code, message, ...where } }
}

/** The same problem as one readable block: place, what was wrong, what to do. */
export function describeProblem(problem: Problem): string {
  const place =
    problem.file === undefined
      ? ''
      : `${problem.file}${problem.line === undefined ? '' : `:${problem.line}:${problem.column ?? 1}`} `
  const key = problem.key === undefined ? '' : `${problem.key}: `
  return `${place}${key}${problem.message} [${problem.code}] ${problem.fix ?? ERRORS[problem.code].fix}`
}

/** Thrown where a value cannot be returned; callers test `problem.code`, never the class. */
export class HoldpointError extends Error {
  override readonly name = 'HoldpointError'
  readonly problem: Problem
  constructor(problem: Problem, options?: { cause?: unknown }) {
    super(describeProblem(problem), options)
    this.problem = problem
  }
  get exitCode(): number {
    return ERRORS[this.problem.code].exit
  }
}
