import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../core/json.ts'
import { CLINE } from './cline/dialect.ts'
import { COPILOT } from './copilot/dialect.ts'
import { canonicalTool, hostInput } from './dialect-tools.ts'
import { DROID } from './droid/dialect.ts'
import { GEMINI } from './gemini/dialect.ts'
import { GOOSE } from './goose/dialect.ts'
import { GROK } from './grok/dialect.ts'
import { KILO } from './kilo/dialect.ts'
import { OPENCODE } from './opencode/dialect.ts'
import { PI } from './pi/dialect.ts'
import { QWEN } from './qwen/dialect.ts'

describe('a call that starts an agent', () => {
  it.each([
    [COPILOT, 'task', { mode: 'background' }, { mode: 'sync' }],
    [COPILOT, 'task', { mode: 'background' }, {}],
    [DROID, 'Task', {}, { await: true }],
    [GOOSE, 'delegate', { async: true }, {}],
    [GROK, 'spawn_subagent', { background: true }, { background: false }],
    [KILO, 'task', { background: true }, {}],
    [QWEN, 'agent', {}, { run_in_background: false }],
  ])('says in the words of $id whether it goes on in the background', ({ tools }, name, on, off) => {
    const isOn = (input: object) => {
      const { background } = canonicalTool(tools, { name, input: { ...input } })
      return typeof background === 'object' ? background.isOn : background
    }
    expect([isOn(on), isOn(off)]).toEqual([true, false])
  })

  it.each([
    [CLINE, 'spawn_agent'],
    [GEMINI, 'invoke_agent'],
    [OPENCODE, 'task'],
  ])('is never in the background in $id', ({ tools }, name) => {
    expect(canonicalTool(tools, { name, input: {} }).background).toBe('never')
  })
})

describe('a call that loads a skill', () => {
  it.each([
    [COPILOT, 'skill', { skill: 'mux' }],
    [GEMINI, 'activate_skill', { name: 'mux' }],
    [GOOSE, 'load_skill', { name: 'mux' }],
    [OPENCODE, 'skill', { name: 'mux' }],
  ])('is the tool Skill for $id', ({ tools }, name, input) => {
    expect(canonicalTool(tools, { name, input })).toMatchObject({ name: 'Skill', input: { skill: 'mux' } })
  })

  it.each([
    [GROK, 'read_file', 'target_file'],
    [PI, 'read', 'path'],
  ])('reads the file of the skill in $id', ({ tools }, name, field) => {
    const skillOf = (path: string) => canonicalTool(tools, { name, input: { [field]: path } }).loadsSkill
    expect(skillOf('/home/dev/.agents/skills/mux/SKILL.md')).toBe('mux')
    expect(skillOf('.agents/skills/team/mux/SKILL.md')).toBe('mux')
    expect(skillOf('/home/dev/.agents/skills/mux/agents/auditor.md')).toBeUndefined()
    expect(skillOf('docs/SKILL.md')).toBeUndefined()
  })
})

describe('a changed input', () => {
  it('goes back in the words of the host', () => {
    const call = canonicalTool(GROK.tools, { name: 'read_file', input: { target_file: 'a' } })
    expect(call).toMatchObject({ name: 'Read', hostName: 'read_file', input: { file_path: 'a' } })
    expect(hostInput(GROK.tools, call, { file_path: 'b' })).toEqual({ target_file: 'b' })
  })

  it('goes back as the list that the host expects', () => {
    const back = (commands: string[], input: JsonObject) =>
      hostInput(CLINE.tools, canonicalTool(CLINE.tools, { name: 'run_commands', input: { commands } }), input)
    expect(back(['a'], { command: 'b' })).toEqual({ commands: ['b'] })
    expect(back(['a', 'b'], { commands: ['a'] })).toEqual({ commands: ['a'] })
  })
})
