import type { HookEntry } from '../../config.ts'
import { isObject, type Json } from '../../json.ts'
import type { Reading } from '../claude-reading.ts'
import type { Path } from '../locate.ts'
import { nameValue } from '../problems.ts'

/**
 * `preToolUseHook`: one script before every tool call while one of its skills is active. It speaks its own protocol
 * (`tool_args`, `context.skill`; `action: allow | block`). Claude Code does not know this key, so there is no failure
 * behaviour to copy: a guard that cannot answer denies, as everywhere.
 */
export function readSkillHook(value: Json, reading: Reading): readonly HookEntry[] {
  const path: Path = ['preToolUseHook']
  if (!isObject(value)) {
    reading.report(path, `Here must be an object with \`script\`; there is ${nameValue(value)}.`)
    return []
  }
  const { enabled = true, script, skillScope, debug } = value
  if (enabled === false) return []
  if (enabled !== true) {
    reading.report([...path, 'enabled'], `Here must be true or false; there is ${nameValue(enabled)}.`)
    return []
  }
  if (typeof script !== 'string' || script.trim() === '' || script.includes('\0')) {
    reading.report([...path, 'script'], `Here must be a script; there is ${nameValue(script)}.`)
    return []
  }
  if (debug === true) {
    const message = 'What was called, how each hook judged it and what was decided stands in the journal.'
    const fix = 'See `holdpoint log --follow`, or `holdpoint explain` for one call.'
    reading.report([...path, 'debug'], message, { code: 'CONFIG_VALUE', severity: 'warning', fix })
  }
  const skills = skillScope === undefined ? [undefined] : readSkills(skillScope, path, reading)
  return skills.map((skill, index) => ({
    on: ['PreToolUse'],
    match: {},
    actor: skill === undefined ? reading.scope : { ...reading.scope, skill },
    run: { type: 'command', command: script, protocol: 'mux', root: reading.root },
    grants: true,
    origin: reading.place(skill === undefined ? path : [...path, 'skillScope', index]),
  }))
}

function readSkills(value: Json, path: Path, reading: Reading): readonly string[] {
  const isList = Array.isArray(value) && value.every((skill) => typeof skill === 'string' && skill !== '')
  if (isList && value.length > 0) return value as readonly string[]
  const message = `Here must be a list of skills; there is ${isList ? 'an empty one' : nameValue(value)}.`
  reading.report([...path, 'skillScope'], message)
  return []
}
