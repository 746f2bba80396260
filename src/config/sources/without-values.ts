import type { ErrorCode, Problem } from '../../core/errors.ts'

/**
 * A problem of an untrusted file, without any text of the file. Such a file may be a link to a password file, and this
 * message reaches the model and the journal. The location is enough to find the problem.
 */
export function withoutValues({ code, file, line, column, severity, holds }: Problem): Problem {
  return {
    code,
    message: `${MESSAGES[code] ?? 'This is not valid.'} The text is not shown, because the file is not trusted.`,
    fix: 'Correct this line. `holdpoint lint` shows the text.',
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(severity === undefined ? {} : { severity }),
    // This sentence comes from Holdpoint: which calls are stopped, and at which events.
    ...(holds === undefined ? {} : { holds }),
  }
}

const MESSAGES: Readonly<Partial<Record<ErrorCode, string>>> = {
  CONFIG_NOT_YAML: 'The file is not valid YAML or JSON.',
  CONFIG_VERSION: 'The file must be a mapping that starts with `version: 1`.',
  CONFIG_TOO_LARGE: 'The file is too large.',
  CONFIG_KEY: 'This key is not known here.',
  CONFIG_VALUE: 'This value is not accepted here.',
  CONFIG_MATCHER: 'This pattern is invalid, or can never match.',
  CONFIG_WEAKER: 'This is less strict than another file.',
  PACK_UNKNOWN: 'There is no such pack.',
  GUARD_UNKNOWN: 'There is no such guard.',
}
