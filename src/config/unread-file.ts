import { describeProblem, type Problem } from '../core/errors.ts'
import type { HookEntry, Layer } from '../core/layer.ts'
import type { RuleRun } from '../core/rule.ts'
import { wordList } from '../core/word-list.ts'
import type { ConfigFile } from './imports.ts'

/** Tools that only read: the user or an agent can use them to find out what is wrong. */
const LOOKING = wordList('Read Glob Grep LS NotebookRead TodoWrite ToolSearch')

/**
 * Replaces a project file that cannot be read and never could. The file might have denied any call, and it could not have
 * allowed one. So every call is asked about, and the other files apply as usual.
 */
export function unreadLayer({ path, rank }: ConfigFile, problem: Problem): Layer {
  const ask = `A policy file of this project cannot be read, so its rules are unknown. ${describeProblem(problem)} Allow this call, or repair the file first?`
  const run: RuleRun = {
    type: 'rule',
    key: `unread ${path}`,
    when: { kind: 'all', of: [] },
    outcome: { ask: ask.replaceAll('{', '(') },
  }
  const hook: HookEntry = {
    id: `${rank}/unread-file`,
    on: ['PreToolUse'],
    match: { exceptTools: LOOKING },
    actor: {},
    run,
    origin: { file: path },
  }
  return { rank, file: path, trusted: false, packs: [], hooks: [hook], settings: {}, problems: [] }
}
