import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { areGone, pidsIn } from '../../src/testing/processes.ts'
import { call, createWorld, type Ran, type World } from '../e2e/command.ts'

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.remove())

const bash = (command: string, more: object = {}) =>
  call('Bash', { command }, { cwd: world.project, ...more })
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
    world.write('policy/prod.ts', POLICY)
    world.write('policy/words.ts', WORDS)
    world.config('version: 1\nhooks:\n  PreToolUse:\n    - { run: ./policy/prod.ts, timeoutMs: 20000 }\n')
  })

  it('denies what it was written for, once it is trusted', async () => {
    const untrusted = await world.hook(bash('deploy prod'))
    expect(specific(untrusted).permissionDecision).toBeUndefined()
    expect(answerOf(untrusted).systemMessage).toContain('holdpoint trust')
    const trusted = await world.run(['trust', '--yes'])
    expect(trusted.stdout).toContain('./policy/prod.ts')
    expect(trusted.stdout).toContain('words.ts')
    const denied = await world.hook(bash('deploy prod'))
    expect(specific(denied)).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('main may not deploy'),
    })
    expect(answerOf(await world.hook(bash('ls')))).toEqual({})
  })

  it('asks again when a file it imports has changed', async () => {
    await world.run(['trust', '--yes'])
    expect(specific(await world.hook(bash('deploy prod'))).permissionDecision).toBe('deny')
    world.write('policy/words.ts', `${WORDS}\nconsole.log("more")`)
    const changed = await world.hook(bash('deploy prod'))
    expect(specific(changed).permissionDecision).toBeUndefined()
    expect(answerOf(changed).systemMessage).toContain('holdpoint trust')
    await world.run(['trust', '--yes'])
    expect(specific(await world.hook(bash('deploy prod'))).permissionDecision).toBe('deny')
  })
})

it("a person's own module stands beside their own configuration, not in a foreign project", async () => {
  const mark = (word: string) => `export default () => ({ deny: '${word}' })`
  world.write('mine.mjs', mark('foreign'))
  world.write('../home/mine.mjs', mark('mine'))
  world.userConfig('version: 1\nhooks: { PreToolUse: [ { run: ./mine.mjs, timeoutMs: 20000 } ] }\n')
  expect(specific(await world.hook(bash('ls'))).permissionDecisionReason).toContain('mine')
})

describe('a module that never comes back', () => {
  const SPINS = (pidFile: string) => `
    import { writeFileSync } from 'node:fs'
    export default () => { writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); for (;;) {} }`

  async function isGone(pidFile: string): Promise<boolean> {
    // Out of time before it ran at all: nothing is left either.
    if (!existsSync(pidFile)) return true
    return areGone(pidsIn(pidFile))
  }

  it.each([
    ['beside a guard', ''],
    ['as a rewriter before all guards', ', rewrites: true'],
  ])('%s: the guard denies all the same', async (_name, more) => {
    const pidFile = join(world.folder, 'pid')
    world.write('spin.mjs', SPINS(pidFile))
    world.userConfig(`version: 1
packs: { safety: true }
hooks: { PreToolUse: [ { run: { module: ${world.project}/spin.mjs }, timeoutMs: 1000, onFailure: pass${more} } ] }
`)
    const ran = await world.hook(bash('rm -rf /'))
    expect(specific(ran)).toMatchObject({ permissionDecision: 'deny' })
    expect(specific(ran).permissionDecisionReason).toContain('Recursive delete')
    expect(await isGone(pidFile)).toBe(true)
  })
})
