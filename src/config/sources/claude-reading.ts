import type { Problem } from '../../core/errors.ts'
import type { EventKind } from '../../core/event.ts'
import type { ActorScope, HandlerSpec, Origin } from '../../core/hook.ts'
import type { Path } from './locate.ts'
import type { ReadMatcher } from './matcher.ts'
import { printable } from './problems.ts'

/** What is needed to read a Claude-style `hooks` object in a file. */
export interface ClaudeHooksOptions {
  /** The location of a value. The path starts at the root of the file, so at `hooks` in settings. */
  place(path: Path): Origin
  readonly readMatcher: ReadMatcher
  /** Problems are added here. */
  readonly problems: Problem[]
  /** Which actors the hooks are for, in addition to their matchers. */
  readonly scope: ActorScope
  /** The folder that relative commands start from. */
  readonly root: string
  /** The path to the object. If missing: `['hooks']`. */
  readonly path?: Path
  /** Replaces the written event, as for `Stop` in an agent's own file. */
  eventOf?(event: EventKind): EventKind
  /** Adjusts how a hook is started, as for a plugin, whose folder is used in its commands. */
  startOf?(run: HandlerSpec): HandlerSpec
  /** The host removes a hook with `once: true` after its first run. Only skills have that. */
  readonly honoursOnce?: boolean
}

/** A longer list of problems does not help. */
const PROBLEMS_MAX = 100

/** Passed to every part of the reader. */
export interface ClaudeReader extends ClaudeHooksOptions {
  report(path: Path, message: string, more?: Pick<Problem, 'code' | 'severity' | 'fix'>): void
}

export function readingOf(options: ClaudeHooksOptions): ClaudeReader {
  return {
    ...options,
    report(path, message, more) {
      const { length } = options.problems
      if (length >= PROBLEMS_MAX) return
      const { file, line, column, key } = options.place(path)
      if (length === PROBLEMS_MAX - 1) {
        options.problems.push({
          code: 'CONFIG_VALUE',
          message: 'There are more problems; they are not listed.',
          file,
        })
        return
      }
      options.problems.push({
        code: 'CONFIG_VALUE',
        message: printable(message),
        file,
        ...(line === undefined ? {} : { line }),
        ...(column === undefined ? {} : { column }),
        ...(key === undefined ? {} : { key: printable(key) }),
        ...more,
      })
    },
  }
}
