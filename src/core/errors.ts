/**
 * The one table of errors that a user can see. Codes are part of the interface: a test pins them, and they are
 * documented in docs/reference/errors.md. `fix` says what to do next.
 */
export const ERRORS = {
  PAYLOAD_EMPTY: {
    exit: 65,
    fix: 'Send one JSON object on standard input. Check the hook command in the settings of the agent.',
  },
  PAYLOAD_TOO_LARGE: { exit: 65, fix: 'Make the call smaller, or split it.' },
  PAYLOAD_NOT_TEXT: {
    exit: 65,
    fix: 'The agent must send UTF-8 text. Update the agent, or report its version.',
  },
  PAYLOAD_NOT_JSON: {
    exit: 65,
    fix: 'The agent must send one JSON object. Run the hook command yourself to see its input.',
  },
  PAYLOAD_NOT_OBJECT: { exit: 65, fix: 'The agent must send one JSON object, not a list or a single value.' },
  PAYLOAD_FIELD: {
    exit: 65,
    fix: 'The agent left out or changed a required field. Check that its version is supported.',
  },
  INPUT_TIMEOUT: {
    exit: 75,
    fix: 'Close standard input in the program that starts the hook. If a hook is slow, lower its `timeoutMs`.',
  },
  HOST_UNKNOWN: { exit: 64, fix: 'Use one of the hosts listed by `holdpoint hook --help`.' },
  HOST_NOT_PROVED: { exit: 64, fix: 'Leave it out, or pass --unproved to install it all the same.' },
  EVENT_UNKNOWN: { exit: 64, fix: 'Use one of the listed events, such as `PreToolUse`.' },
  OPTION_INVALID: { exit: 64, fix: 'Run the command with --help to see its options.' },
  CONFIG_UNREADABLE: { exit: 78, fix: 'Check the path and the permissions of the file.' },
  CONFIG_TOO_LARGE: { exit: 78, fix: 'Split the configuration. One file can have at most 1 MiB.' },
  CONFIG_NOT_YAML: { exit: 78, fix: 'Correct the YAML at this line.' },
  CONFIG_VERSION: { exit: 78, fix: 'Write `version: 1` at the top of the file.' },
  CONFIG_KEY: { exit: 78, fix: 'Correct or remove the key. `holdpoint docs configuration` lists all keys.' },
  CONFIG_VALUE: {
    exit: 78,
    fix: 'Correct the value. `holdpoint docs configuration` shows what each key accepts.',
  },
  CONFIG_MATCHER: { exit: 78, fix: 'Correct the pattern, or write plain names joined by `|`.' },
  CONFIG_WEAKER: { exit: 78, fix: 'Remove the weaker value, or change the stricter one.' },
  NOT_SYNCHRONOUS: {
    exit: 70,
    fix: 'Use `await runtime.evaluate(event)`, or `await runtime.ready()` before.',
  },
  PACK_INVALID: { exit: 78, fix: 'Correct the pack where it is defined.' },
  PACK_FAILED: {
    exit: 78,
    fix: 'Correct the pack, or remove it from the configuration. Until then calls are denied.',
  },
  PACK_TAKEN: { exit: 78, fix: 'Give your pack an id that no other pack has.' },
  PACK_UNKNOWN: { exit: 78, fix: 'Use one of the listed packs.' },
  GUARD_UNKNOWN: { exit: 78, fix: 'Use one of the listed guards.' },
  PLAN_MISSING: {
    exit: 78,
    fix: 'Correct the configuration file, then try again. `holdpoint lint` shows what is wrong.',
  },
  HOOK_INVALID: { exit: 64, fix: 'Correct the hook or its options in the program that registers it.' },
  HOOK_DUPLICATE: { exit: 64, fix: 'Give each hook its own id, or unregister the first one.' },
  HOOK_UNTRUSTED: { exit: 77, fix: 'Read the configuration, then run `holdpoint trust`.' },
  SIGNING_KEY: {
    exit: 77,
    fix: 'Run `holdpoint pin reset` in a terminal. It makes a new key; then renew your exceptions and trust.',
  },
  PERMIT_INVALID: {
    exit: 77,
    fix: 'Make a permit with `holdpoint pin permit` on the machine of a person; `holdpoint docs unattended` says who may use it.',
  },
  UNSIGNED_ENTRY: {
    exit: 77,
    fix: 'If it was you, run the command again in a terminal. If not, find out which program wrote the file.',
  },
  STATE_UNREADABLE: { exit: 74, fix: 'Check the folder and its owner. Use `--home DIR` for another folder.' },
  STATE_UNWRITABLE: {
    exit: 74,
    fix: 'Check the free space, the folder and its owner. Use `--home DIR` for another folder.',
  },
  JOURNAL_UNREADABLE: {
    exit: 74,
    fix: 'Check the folder and the free space. Move the journal file away to start a new one.',
  },
  JOURNAL_BROKEN: {
    exit: 65,
    fix: 'The record was changed after it was written. Keep the file and find out who changed it.',
  },
  SQLITE_MISSING: {
    exit: 69,
    fix: 'Use Node.js 22.13 or newer, or install Holdpoint again without --omit=optional. No record is lost: they wait in the spool.',
  },
  DAEMON_FOLDER: {
    exit: 74,
    fix: 'Remove the folder, or make it yours and run `chmod 700` on it. Hooks still answer without the daemon.',
  },
  DAEMON_SILENT: { exit: 69, fix: 'Run `holdpoint daemon logs`. Hooks still answer without the daemon.' },
  HTTP_PORT_TAKEN: {
    exit: 69,
    fix: 'Find the program that uses the port, or run `holdpoint init` without --http to use hooks that need no port.',
  },
  SERVER_UNSTARTED: {
    exit: 69,
    fix: 'Check that the command after `--`, or the URL after --url, works without Holdpoint.',
  },
  HOOKS_OFF: {
    exit: 77,
    fix: 'Correct the file that is named, or run `holdpoint init`. `holdpoint doctor` shows the state of the hooks.',
  },
  NPM_SILENT: {
    exit: 69,
    fix: 'Check the network and the npm registry, or run `npx holdpoint@VERSION init` yourself.',
  },
  BUNDLE_INVALID: {
    exit: 65,
    fix: 'Build the bundle again with `holdpoint fleet bundle build`. If it was fetched, check the server.',
  },
  BUNDLE_SIGNATURE: {
    exit: 77,
    fix: 'Sign it with `holdpoint fleet bundle sign` and a key that counts. If it was fetched, find out who wrote it.',
  },
  BUNDLE_REFUSED: {
    exit: 77,
    fix: 'Publish a newer bundle. Until then the bundle in force goes on.',
  },
  BUNDLE_TESTS: { exit: 65, fix: 'Correct the policy or its tests, then build the bundle again.' },
  FLEET_ENROLLMENT: {
    exit: 78,
    fix: 'Run `holdpoint fleet enroll` again, with --system if root enrolled this machine.',
  },
  FLEET_NO_BUNDLE: { exit: 78, fix: 'Run `holdpoint fleet fetch`. Until then actions are denied.' },
  FLEET_UNREACHABLE: {
    exit: 69,
    fix: 'Check the address, the network and the proxy of the enrollment. The bundle in force goes on.',
  },
  PUSH_INVALID: {
    exit: 65,
    fix: 'Nothing was stored. The machine keeps its records and sends them again; check its version and its network.',
  },
  COLLECTOR_REFUSED: {
    exit: 77,
    fix: 'Ask the administrator of the fleet for a new token, and enroll again. The records wait in the journal.',
  },
  FLEET_DATABASE: {
    exit: 69,
    fix: 'Check the address, the login and the disk of the database. Machines keep their records and send them later.',
  },
  FLEET_SCHEMA: {
    exit: 78,
    fix: 'Upgrade `holdpoint` and `@holdpoint/fleet` on this collector. Nothing was changed.',
  },
  FLEET_PACKAGE: {
    exit: 69,
    fix: 'Install it next to Holdpoint, in the same version and as you installed Holdpoint, then run the command again.',
  },
  FILE_OUTSIDE: { exit: 74, fix: 'Use a path inside the project.' },
  ROW_INVALID: { exit: 65, fix: 'Write one JSON object per line, with `command` or `event`.' },
  RECORD_UNKNOWN: { exit: 66, fix: 'List the ids with `holdpoint log`.' },
  TOPIC_UNKNOWN: {
    exit: 66,
    fix: 'List the pages with `holdpoint docs`, or search them with `holdpoint docs --search WORDS`.',
  },
  INTERNAL: { exit: 70, fix: 'This is a bug in Holdpoint. Please report it with the text above.' },
} as const satisfies Record<string, { exit: number; fix: string }>

export type ErrorCode = keyof typeof ERRORS

/** Something that is wrong and can be reported: a value, not an exception. */
export interface Problem {
  readonly code: ErrorCode
  /** One sentence: what is wrong, with the value that was found. */
  readonly message: string
  readonly file?: string
  readonly line?: number
  readonly column?: number
  readonly key?: string
  /** Replaces the advice of the table where a more specific one is known. */
  readonly fix?: string
  /** One sentence: what is stopped until it is corrected. */
  readonly holds?: string
  /** The one right correction: the text in the file, and what it should be. */
  readonly replace?: { readonly old: string; readonly with: string }
  /** `warning`: reported, but nothing was left out. */
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

/** The problem as one readable block: location, what is wrong, what to do. */
export function describeProblem(problem: Problem): string {
  const place =
    problem.file === undefined
      ? ''
      : `${problem.file}${problem.line === undefined ? '' : `:${problem.line}:${problem.column ?? 1}`} `
  const key = problem.key === undefined ? '' : `${problem.key}: `
  const holds = problem.holds === undefined ? '' : ` ${problem.holds}`
  return `${place}${key}${problem.message}${holds} [${problem.code}] ${problem.fix ?? ERRORS[problem.code].fix}`
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

/** The error of a package that has its own copy of this class, as an error of ours; undefined if it is another one. */
export function asHoldpointError(error: unknown): HoldpointError | undefined {
  if (error instanceof HoldpointError) return error
  if (!(error instanceof Error) || error.name !== 'HoldpointError' || !('problem' in error)) return undefined
  const problem = error.problem as Problem
  return Object.hasOwn(ERRORS, problem.code) ? new HoldpointError(problem, { cause: error }) : undefined
}
