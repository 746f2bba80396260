import type { Rank } from '../../../core/hook.ts'
import type { Json } from '../../../core/json.ts'
import type { Settings, UserRights } from '../../../core/layer.ts'
import { checkRegex, linearEngine } from '../../../core/match/regex.ts'
import type { Path } from '../locate.ts'
import { readMapping, type YamlReader } from './reading.ts'
import { REDACT_MAX, redactSchema, settingsShape } from './schema.ts'

/** The `settings` of a file, key by key. A wrong one is left out; the others are kept. */
export function readSettingsBlock(value: Json, reading: YamlReader): Settings {
  const mapping = readMapping(value, 'settings', 'a mapping of settings', reading)
  const settings: [string, unknown][] = []
  for (const [key, setting] of Object.entries(mapping)) {
    const path: Path = ['settings', key]
    if (key === 'redact' && Array.isArray(setting)) {
      settings.push([key, readRedact(setting, path, reading)])
    } else if (!mayHave(key, reading.file.rank)) {
      const whose = key === 'telemetry' ? 'managed policy and your own file' : 'managed policy'
      const message = `Only ${whose} can set this, so it has no effect here.`
      reading.problems.add('CONFIG_KEY', path, message, { part: 'key', severity: 'warning' })
    } else if (isSetting(key)) {
      const parsed = settingsShape[key].safeParse(setting)
      if (parsed.success) settings.push([key, parsed.data])
      else reading.problems.addIssues(parsed.error.issues, path)
      // A misspelled value was meant to forbid: a typo must not let untrusted code run.
      if (!parsed.success && key === 'projectCode') settings.push([key, 'forbidden'])
      if (!parsed.success && key === 'users') settings.push([key, NO_RIGHTS])
    } else {
      reading.problems.addUnknownKey(path, 'a setting', Object.keys(settingsShape))
    }
  }
  return Object.fromEntries(settings) as Settings
}

const NO_RIGHTS: UserRights = { exceptions: 'forbidden', pauses: 'forbidden', grants: 'forbidden' }

/** A project may not say where decisions are sent, nor what a user may do. */
function mayHave(key: string, rank: Rank): boolean {
  if (key === 'projectCode' || key === 'users') return rank === 'managed'
  return key !== 'telemetry' || rank === 'managed' || rank === 'user'
}

/** One wrong regex must not disable the others: only that one is left out. */
function readRedact(list: readonly Json[], path: Path, { problems }: YamlReader): readonly string[] {
  if (list.length > REDACT_MAX) {
    const message = `The list has ${list.length} regexes; only the first ${REDACT_MAX} are used.`
    problems.add('CONFIG_VALUE', [...path, REDACT_MAX], message)
  }
  return list.slice(0, REDACT_MAX).flatMap((item, index) => {
    const parsed = redactSchema.safeParse(item)
    if (!parsed.success) {
      problems.addIssues(parsed.error.issues, [...path, index])
      return []
    }
    const fault = redactFault(parsed.data)
    if (fault === undefined) return [parsed.data]
    problems.add('CONFIG_MATCHER', [...path, index], fault)
    return []
  })
}

/** These run over whole outputs, so only the linear engine is allowed. */
function redactFault(regex: string): string | undefined {
  const engine = checkRegex(regex)
  if (!engine.ok) return engine.problem.message
  if (engine.value !== 'linear') {
    return `The pattern \`${regex}\` uses look-around or a back-reference, which cannot be used for masking.`
  }
  return linearEngine.compile(regex)('') ? `The pattern \`${regex}\` matches the empty text.` : undefined
}

function isSetting(key: string): key is keyof typeof settingsShape {
  return Object.hasOwn(settingsShape, key)
}
