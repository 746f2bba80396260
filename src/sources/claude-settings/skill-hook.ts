import type { HookEntry } from '../../config.ts'
import type { Run } from '../../hook.ts'
import { isObject, type Json } from '../../json.ts'
import type { Reading } from '../claude-reading.ts'
import type { Path } from '../locate.ts'
import { nameValue } from '../problems.ts'

/**
 * `preToolUseHook`: one script before every tool call while one of its skills is active. It speaks its own protocol
 * (`tool_args`, `context.skill`; `action: allow | block`), as a function of these or as a program that reads them. Claude Code does not know this key, so there is no failure
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
  if (debug !== undefined && typeof debug !== 'boolean') {
    reading.report([...path, 'debug'], `Here must be true or false; there is ${nameValue(debug)}.`)
  }
  const skills = skillScope === undefined ? [undefined] : readSkills(skillScope, path, reading)
  return skills.map((skill, index) => ({
    on: ['PreToolUse'],
    match: {},
    actor: skill === undefined ? reading.scope : { ...reading.scope, skill },
    run: { ...runOf(script), protocol: 'mux', root: reading.root, ...(debug === true ? { debug } : {}) },
    isOurs: true,
    grants: true,
    origin: reading.place(skill === undefined ? path : [...path, 'skillScope', index]),
  }))
}

/**
 * A script may hold the hook as a function. TypeScript is always a module; whether another script holds one or is a
 * program is seen when it runs.
 */
function runOf(script: string): Run {
  return /\.[cm]?ts$/.test(script)
    ? { type: 'module', module: script, export: 'pre_tool_use_hook|preToolUseHook|default' }
    : { type: 'command', command: script, function: true }
}

function readSkills(value: Json, path: Path, reading: Reading): readonly string[] {
  const isList = Array.isArray(value) && value.every((skill) => typeof skill === 'string' && skill !== '')
  if (isList && value.length > 0) return value as readonly string[]
  const message = `Here must be a list of skills; there is ${isList ? 'an empty one' : nameValue(value)}.`
  reading.report([...path, 'skillScope'], message)
  return []
}
