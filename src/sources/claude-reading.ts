import type { Problem } from '../errors.ts'
import type { EventKind } from '../event.ts'
import type { ActorScope, Origin, Run } from '../hook.ts'
import type { Path } from './locate.ts'
import type { ReadMatcher } from './matcher.ts'
import { printable } from './problems.ts'

/** What reading a Claude-style `hooks` object needs to know about the file it stands in. */
export interface ClaudeHooksOptions {
  /** Where a value stands; the path starts at the whole file, so at `hooks` in settings. */
  place(path: Path): Origin
  readonly readMatcher: ReadMatcher
  /** What is wrong is added here. */
  readonly problems: Problem[]
  /** Who the hooks are for, on top of what their matchers say. */
  readonly scope: ActorScope
  /** Folder relative commands start from. */
  readonly root: string
  /** The way to the object; `['hooks']` when missing. */
  readonly path?: Path
  /** Another event than the one written, as for `Stop` in an agent's own file. */
  eventOf?(event: EventKind): EventKind
  /** The run as it has to be started, as for a plugin, whose folder stands in its commands. */
  startOf?(run: Run): Run
  /** The host drops a hook with `once: true` after its first run; only skills have that. */
  readonly honoursOnce?: boolean
}

/** More fill screens and help nobody. */
const PROBLEMS_MAX = 100

/** What every part of the reader is handed. */
export interface Reading extends ClaudeHooksOptions {
  report(path: Path, message: string, more?: Pick<Problem, 'code' | 'severity' | 'fix'>): void
}

export function readingOf(options: ClaudeHooksOptions): Reading {
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
