import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { importingAgent } from './importing-agent.ts'

function payloads(host: string): readonly string[] {
  const folder = join(import.meta.dirname, host, 'fixtures')
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
}

describe('who started a hook of Claude Code', () => {
  it('is Grok Build at each of its events', () => {
    for (const payload of payloads('grok')) expect(importingAgent(payload)).toBe('grok')
  })

  test.each(['claude-code', 'codex', 'qwen', 'gemini', 'droid', 'codebuddy', 'kimi'])(
    'is not Grok Build: %s',
    (host) => {
      for (const payload of payloads(host)) expect(importingAgent(payload)).toBeUndefined()
    },
  )

  test.each([
    '',
    '{',
    '[]',
    'null',
    '"hookEventName workspaceRoot"',
    '{"tool_input":{"hookEventName":1,"workspaceRoot":2}}',
  ])('cannot be told from %s', (payload) => {
    expect(importingAgent(payload)).toBeUndefined()
  })
})
