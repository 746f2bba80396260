import { good, type Problem, type Result } from '../../../core/errors.ts'
import type { Layer } from '../../../core/layer.ts'
import { readClaudeHooks } from '../claude-hooks.ts'
import { readClaudeJson } from '../claude-json.ts'
import { readingOf } from '../claude-reading.ts'
import { matcherReader } from '../matcher.ts'
import type { Find, Source, SourceFile, SourcePlaces } from '../source.ts'
import { readSkillHook } from './skill-hook.ts'

/**
 * Claude Code's `settings.json`, so that its hooks apply to other agents too. Keys that are not about hooks are
 * ignored. A file may contain several forms. Only a wrong entry is left out.
 */
export const source: Source = { id: 'claude-settings', parse, finds }

function parse(text: string, file: SourceFile): Result<Layer> {
  const document = readClaudeJson(text, file.path)
  if (!document.ok) return document
  const { json, place, notes } = document.value
  const problems: Problem[] = []
  const reading = readingOf({ place, readMatcher: matcherReader(), problems, scope: {}, root: file.root })
  const { hooks, preToolUseHook, disableAllHooks } = json
  const isOff = disableAllHooks === true
  if (isOff) {
    const message = 'The file disables all hooks, so its own hooks were left out.'
    reading.report(['disableAllHooks'], message, { code: 'CONFIG_VALUE', severity: 'warning' })
  }
  return good({
    rank: file.rank,
    file: file.path,
    trusted: file.trusted,
    packs: [],
    hooks: isOff
      ? []
      : [
          ...readClaudeHooks(hooks, reading),
          ...(preToolUseHook === undefined ? [] : readSkillHook(preToolUseHook, reading)),
        ],
    settings: {},
    problems: [...notes, ...problems],
  })
}

/** Claude Code runs all of these itself. Relative commands start in the project, as in Claude Code. */
function finds({ project, home }: SourcePlaces): readonly Find[] {
  const at = (folder: string, name: string, rank: Find['rank']): Find => {
    return { folder, name, rank, root: project, exceptHost: 'claude-code' }
  }
  return [
    at('/etc/claude-code', 'managed-settings.json', 'managed'),
    at('/Library/Application Support/ClaudeCode', 'managed-settings.json', 'managed'),
    at(`${home}/.claude`, 'settings.json', 'user'),
    at(`${project}/.claude`, 'settings.json', 'project'),
    at(`${project}/.claude`, 'settings.local.json', 'local'),
  ]
}
