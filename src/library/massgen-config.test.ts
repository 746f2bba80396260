import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createRuntime } from './runtime.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-massgen-config-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('K-38: a runtime reads the hooks of a MassGen file, for all agents and for one', async () => {
  writeFileSync(
    join(folder, 'team.yaml'),
    'hooks:\n  PreToolUse:\n    - { matcher: "Write", handler: ./guard.sh, type: command }\nagents:\n  - id: reader\n    backend:\n      hooks:\n        PreToolUse: { override: true, hooks: [] }\n',
  )
  writeFileSync(join(folder, 'guard.sh'), '#!/bin/sh\necho \'{"allowed": false, "reason": "no writes"}\'\n', {
    mode: 0o755,
  })
  const runtime = createRuntime({ config: ['team.yaml'], cwd: folder })
  await runtime.ready()
  const write = { kind: 'PreToolUse', tool: { name: 'Write', input: { path: 'a' } } } as const
  expect(await runtime.evaluate(write)).toMatchObject({ effect: 'deny', reason: 'no writes' })
  expect(await runtime.evaluate({ ...write, agent: 'a1', agentType: 'reader' })).toMatchObject({
    effect: 'pass',
  })
  expect(await runtime.evaluate({ ...write, tool: { name: 'Read', input: {} } })).toMatchObject({
    effect: 'pass',
  })
})
