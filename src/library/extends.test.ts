import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { defineGuard, definePack } from '../core/define-pack.ts'
import { createRuntime } from './runtime.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'holdpoint-runtime-extends-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const acme = definePack({
  id: 'acme',
  title: 'Rules of Acme',
  guards: [
    defineGuard({
      id: 'acme/no-deploy',
      title: 'Deployment by an agent',
      why: 'Only a person deploys.',
      instead: 'ask the user to run the deployment.',
      on: ['PreToolUse'],
      match: 'mcp__deploy__start',
      modes: { standard: 'ask', strict: 'deny', paranoid: 'deny' },
      examples: { stops: [{ tool: 'mcp__deploy__start', input: {} }], passes: ['npm test'] },
      check: () => ({ caught: 'starts a deployment' }),
    }),
  ],
})

const toolOf = (name: string, input = {}) => ({ kind: 'PreToolUse', tool: { name, input } }) as const
const withPolicy = (packs: Parameters<typeof createRuntime>[0] = {}) =>
  createRuntime({ ...packs, cwd: folder, config: ['policy.yaml'] })

describe('a configuration of a runtime that extends others', () => {
  it('has the rules of files and packages, and of those that they extend', async () => {
    write('policy.yaml', 'version: 1\nextends: ["@acme/policies"]\n')
    write('node_modules/@acme/policies/package.json', '{ "name": "@acme/policies" }')
    write(
      'node_modules/@acme/policies/holdpoint.yaml',
      'version: 1\nextends: [./more.yaml]\npacks: { safety: true }\n',
    )
    write(
      'node_modules/@acme/policies/more.yaml',
      'version: 1\nrules: [{ id: a, match: WebFetch, deny: Not here. }]\n',
    )
    const runtime = withPolicy()
    expect(await runtime.evaluate(toolOf('WebFetch'))).toMatchObject({
      effect: 'deny',
      reason: expect.stringContaining('Not here.'),
    })
    expect((await runtime.evaluate(toolOf('Bash', { command: 'git push --force' }))).effect).toBe('deny')
    expect((await runtime.evaluate(toolOf('Bash', { command: 'ls' }))).effect).toBe('pass')
  })

  it('may set options of a pack with `from`, if the program brings the pack', async () => {
    write('policy.yaml', 'version: 1\npacks: { acme: { from: "@acme/policies", level: strict } }\n')
    expect((await withPolicy({ packs: [acme] }).evaluate(toolOf('mcp__deploy__start'))).effect).toBe('deny')
    const { effect, reason } = await withPolicy().evaluate(toolOf('Bash', { command: 'ls' }))
    expect([effect, reason]).toEqual(['deny', expect.stringContaining('that its program did not load')])
  })

  it.each([
    ['a package that is missing', 'extends: ["@acme/none"]', {}, 'which does not exist'],
    ['itself', 'extends: [./policy.yaml]', {}, 'extend each other'],
    ['a broken file', 'extends: [./a.yaml]', { 'a.yaml': 'version: 1\nrules: [' }, ''],
    ['a wrong rule', 'extends: [./a.yaml]', { 'a.yaml': 'version: 1\nrules: [{ id: a, dney: x }]\n' }, ''],
    [
      'a file that imports',
      'extends: [./a.yaml]',
      { 'a.yaml': 'version: 1\nimports: [claude-settings]\n' },
      'cannot import',
    ],
  ])('denies everything with %s', async (_what, text, files, says) => {
    write('policy.yaml', `version: 1\n${text}\n`)
    for (const [path, content] of Object.entries(files)) write(path, content)
    const { effect, reason } = await withPolicy().evaluate(toolOf('Bash', { command: 'ls' }))
    expect([effect, reason]).toEqual(['deny', expect.stringMatching(/\[CONFIG_/)])
    expect(reason).toContain(says)
  })
})
