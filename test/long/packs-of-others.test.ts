import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

function write(path: string, text: string): void {
  const file = join(sandbox.project, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const packText = (before = '') => `import { defineGuard, definePack } from 'holdpoint'
${before}
const noDeploy = defineGuard({
  id: 'acme/no-deploy', title: 'Deployment by an agent', why: 'Only a person deploys.',
  instead: 'ask the user to run the deployment.', on: ['PreToolUse'], match: 'mcp__deploy__start',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: { stops: [{ tool: 'mcp__deploy__start', input: {} }], passes: ['npm test'] },
  check: () => ({ caught: 'starts a deployment' }),
})
export default definePack({ id: 'acme', title: 'Rules of Acme', guards: [noDeploy] })
`
let calls = 0

/** Every call has its own id: the same call again would get the recorded answer. */
async function answer(
  tool = 'mcp__deploy__start',
): Promise<{ readonly effect: unknown; readonly said: string }> {
  calls += 1
  const payload = { ...call(tool, {}, { cwd: sandbox.project }), tool_use_id: `call-${calls}` }
  const { stdout } = await sandbox.hook(payload)
  return {
    effect: JSON.parse(stdout === '' ? '{}' : stdout).hookSpecificOutput?.permissionDecision,
    said: stdout,
  }
}

it('a pack of a project runs after `holdpoint trust`, and denies again when it changes', async () => {
  write('policies/pack.ts', packText())
  write('.holdpoint/config.yaml', 'version: 1\npacks: { acme: { from: ./policies/pack.ts } }\n')
  const before = await answer()
  expect([before.effect, before.said]).toEqual([undefined, expect.stringContaining('holdpoint trust')])

  const trusted = await sandbox.person(['trust', '--yes'])
  expect(trusted.stdout).toContain('pack acme runs: ./policies/pack.ts')
  expect(await answer()).toMatchObject({
    effect: 'deny',
    said: expect.stringContaining('starts a deployment'),
  })
  expect((await answer('mcp__deploy__list')).effect).toBeUndefined()
  const guards = await sandbox.run(['guards', 'acme'])
  expect(guards.stdout).toContain('acme/no-deploy')
  expect((await sandbox.run(['lint'])).exitCode).toBe(0)

  write('policies/pack.ts', packText('// changed'))
  expect(await answer('mcp__deploy__list')).toMatchObject({
    effect: 'deny',
    said: expect.stringContaining('not what was trusted'),
  })
  expect((await sandbox.run(['lint'])).stdout).toContain('.holdpoint/config.yaml:2')
})

it('a pack that hangs while it is loaded denies in time, and is waited for once', async () => {
  const started = join(sandbox.project, 'started')
  write(
    'policies/pack.ts',
    packText(
      `import { appendFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(started)}, 'x')
await new Promise(() => setInterval(() => {}, 1000))`,
    ),
  )
  write('.holdpoint/config.yaml', 'version: 1\npacks: { acme: { from: ./policies/pack.ts } }\n')
  await sandbox.person(['trust', '--yes'])
  const denied = { effect: 'deny', said: expect.stringContaining('did not answer in time') }
  expect(await answer('mcp__deploy__list')).toMatchObject(denied)
  const tries = readFileSync(started, 'utf8')
  expect(await answer('mcp__deploy__list')).toMatchObject(denied)
  expect(await answer('mcp__deploy__start')).toMatchObject(denied)
  expect(readFileSync(started, 'utf8')).toBe(tries)

  write('policies/pack.ts', packText())
  await sandbox.person(['trust', '--yes'])
  expect((await answer('mcp__deploy__list')).effect).toBeUndefined()
  expect(await answer()).toMatchObject({
    effect: 'deny',
    said: expect.stringContaining('starts a deployment'),
  })
})
