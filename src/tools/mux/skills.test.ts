import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { installSkills, removeSkills } from './skills.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-skills-'))
  mkdirSync(at('from', 'mux'), { recursive: true })
  writeFileSync(at('from', 'mux', 'SKILL.md'), SKILL)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const SKILL = `---
name: mux
hooks:
  PreToolUse:
    - hooks:
        - { type: command, command: {{hook PreToolUse}} }
---

Read {{skills}}/mux/agents/auditor.md.
`

function at(...parts: readonly string[]): string {
  return join(folder, ...parts)
}

function copyFor(host: string, hook?: (event: string) => string) {
  const to = at('skills')
  const copy = { from: at('from'), to, shown: to, host, scope: 'user', list: at('list.json') }
  return installSkills(hook === undefined ? copy : { ...copy, hook })
}

const copied = () => readFileSync(at('skills', 'mux', 'SKILL.md'), 'utf8')

describe('a skill', () => {
  it('has hooks for an agent that runs hooks of skills', () => {
    copyFor('claude-code', (event) => `ask ${event}`)
    expect(copied()).toContain('command: "ask PreToolUse"')
    expect(copied()).toContain(`Read ${at('skills')}/mux/agents/auditor.md.`)
  })

  it('has no hooks for any other agent', () => {
    copyFor('copilot')
    expect(copied()).toBe(`---\nname: mux\n---\n\nRead ${at('skills')}/mux/agents/auditor.md.\n`)
  })

  it('stays until the last agent that shares it is removed', () => {
    copyFor('copilot')
    copyFor('gemini')
    expect(removeSkills(at('list.json'), 'copilot', undefined).written).toEqual([])
    expect(existsSync(at('skills', 'mux', 'SKILL.md'))).toBe(true)
    expect(removeSkills(at('list.json'), 'gemini', undefined).written).toHaveLength(1)
    expect(existsSync(at('skills'))).toBe(false)
    expect(existsSync(at('list.json'))).toBe(false)
  })

  it('of an older list, which names no agents, belongs to Claude Code', () => {
    copyFor('claude-code', () => 'x')
    const list = JSON.parse(readFileSync(at('list.json'), 'utf8'))
    for (const each of list.files) delete each.hosts
    writeFileSync(at('list.json'), JSON.stringify(list))
    expect(removeSkills(at('list.json'), 'copilot', undefined).written).toEqual([])
    expect(removeSkills(at('list.json'), 'claude-code', 'user').written).toHaveLength(1)
  })
})
