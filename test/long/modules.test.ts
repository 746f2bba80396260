import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { areGone, pidsIn } from '../../src/library/testing/processes.ts'
import { call, createSandbox, type Ran, type Sandbox } from '../e2e/command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const bash = (command: string, more: object = {}) =>
  call('Bash', { command }, { cwd: sandbox.project, ...more })
const answerOf = (ran: Ran) => JSON.parse(ran.stdout === '' ? '{}' : ran.stdout)
const specific = (ran: Ran) => answerOf(ran).hookSpecificOutput ?? {}

const POLICY = `
import { defineHook } from 'holdpoint'
import { isProduction } from './words.ts'
export default defineHook({
  on: 'PreToolUse',
  match: 'Bash',
  run(event, context) {
    const who: string = context.actor.role
    if (isProduction(event.tool.input.command)) return { deny: \`\${who} may not deploy; ask a person\` }
  },
})`
const WORDS = 'export const isProduction = (command: string): boolean => command.includes("deploy prod")'

describe('a policy in TypeScript', () => {
  beforeEach(() => {
    sandbox.write('policy/prod.ts', POLICY)
    sandbox.write('policy/words.ts', WORDS)
    sandbox.config('version: 1\nhooks:\n  PreToolUse:\n    - { run: ./policy/prod.ts, timeoutMs: 20000 }\n')
  })

  it('denies its calls once it is trusted', async () => {
    const untrusted = await sandbox.hook(bash('deploy prod'))
    expect(specific(untrusted).permissionDecision).toBeUndefined()
    expect(answerOf(untrusted).systemMessage).toContain('holdpoint trust')
    const trusted = await sandbox.person(['trust', '--yes'])
    expect(trusted.stdout).toContain('./policy/prod.ts')
    expect(trusted.stdout).toContain('words.ts')
    const denied = await sandbox.hook(bash('deploy prod'))
    expect(specific(denied)).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('main may not deploy'),
    })
    expect(answerOf(await sandbox.hook(bash('ls')))).toEqual({})
  })

  it('asks again when a file it imports has changed', async () => {
    await sandbox.person(['trust', '--yes'])
    expect(specific(await sandbox.hook(bash('deploy prod'))).permissionDecision).toBe('deny')
    sandbox.write('policy/words.ts', `${WORDS}\nconsole.log("more")`)
    const changed = await sandbox.hook(bash('deploy prod'))
    expect(specific(changed).permissionDecision).toBeUndefined()
    expect(answerOf(changed).systemMessage).toContain('holdpoint trust')
    await sandbox.person(['trust', '--yes'])
    expect(specific(await sandbox.hook(bash('deploy prod'))).permissionDecision).toBe('deny')
  })
})

it("a user's module is loaded from the folder of the configuration, not from another project", async () => {
  const mark = (word: string) => `export default () => ({ deny: '${word}' })`
  sandbox.write('mine.mjs', mark('foreign'))
  sandbox.write('../home/mine.mjs', mark('mine'))
  sandbox.userConfig('version: 1\nhooks: { PreToolUse: [ { run: ./mine.mjs, timeoutMs: 20000 } ] }\n')
  expect(specific(await sandbox.hook(bash('ls'))).permissionDecisionReason).toContain('mine')
})

describe('a module in an endless loop', () => {
  const SPINS = (pidFile: string) => `
    import { writeFileSync } from 'node:fs'
    export default () => { writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); for (;;) {} }`

  async function isGone(pidFile: string): Promise<boolean> {
    // The time was over before it ran at all: nothing is left either.
    if (!existsSync(pidFile)) return true
    return areGone(pidsIn(pidFile))
  }

  it.each([
    ['next to a guard', ''],
    ['as a rewriter before all guards', ', rewrites: true'],
  ])('%s does not keep the guard from denying', async (_name, more) => {
    const pidFile = join(sandbox.folder, 'pid')
    sandbox.write('spin.mjs', SPINS(pidFile))
    sandbox.userConfig(`version: 1
packs: { safety: true }
hooks: { PreToolUse: [ { run: { module: ${sandbox.project}/spin.mjs }, timeoutMs: 1000, onFailure: pass${more} } ] }
`)
    const ran = await sandbox.hook(bash('rm -rf /'))
    expect(specific(ran)).toMatchObject({ permissionDecision: 'deny' })
    expect(specific(ran).permissionDecisionReason).toContain('Recursive delete')
    expect(await isGone(pidFile)).toBe(true)
  })
})
