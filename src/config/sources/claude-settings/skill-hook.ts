import type { HandlerSpec } from '../../../core/hook.ts'
import { isObject, type Json } from '../../../core/json.ts'
import type { HookEntry } from '../../../core/layer.ts'
import type { ClaudeReader } from '../claude-reading.ts'
import type { Path } from '../locate.ts'
import { nameValue } from '../problems.ts'

/**
 * `preToolUseHook`: one script before every tool call while one of its skills is active. It has its own protocol
 * (`tool_args`, `context.skill`; `action: allow | block`), as a function or as a program. Claude Code does not know
 * this key, so there is no failure behaviour to copy: a guard that cannot answer denies, as everywhere.
 */
export function readSkillHook(value: Json, reading: ClaudeReader): readonly HookEntry[] {
  const path: Path = ['preToolUseHook']
  if (!isObject(value)) {
    reading.report(path, `Expected an object with \`script\`, not ${nameValue(value)}.`)
    return []
  }
  const { enabled = true, script, skillScope, debug } = value
  if (enabled === false) return []
  if (enabled !== true) {
    reading.report([...path, 'enabled'], `Expected true or false, not ${nameValue(enabled)}.`)
    return []
  }
  if (typeof script !== 'string' || script.trim() === '' || script.includes('\0')) {
    reading.report([...path, 'script'], `Expected a script, not ${nameValue(script)}.`)
    return []
  }
  if (debug !== undefined && typeof debug !== 'boolean') {
    reading.report([...path, 'debug'], `Expected true or false, not ${nameValue(debug)}.`)
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
 * A script may export the hook as a function. TypeScript is always a module. For other scripts, whether they export a
 * function or are a program is only known when they run.
 */
function runOf(script: string): HandlerSpec {
  return /\.[cm]?ts$/.test(script)
    ? { type: 'module', module: script, export: 'pre_tool_use_hook|preToolUseHook|default' }
    : { type: 'command', command: script, function: true }
}

function readSkills(value: Json, path: Path, reading: ClaudeReader): readonly string[] {
  const isList = Array.isArray(value) && value.every((skill) => typeof skill === 'string' && skill !== '')
  if (isList && value.length > 0) return value as readonly string[]
  const message = `Expected a list of skills, not ${isList ? 'an empty list' : nameValue(value)}.`
  reading.report([...path, 'skillScope'], message)
  return []
}
