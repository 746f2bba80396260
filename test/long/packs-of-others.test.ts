import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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

/** From `init` on, as a team does it: what runs is the copy that the hooks start, not the package. */
it('the hooks of an agent use a trusted pack and a package that the project extends', async () => {
  const env = { HOME: join(sandbox.folder, 'user') }
  mkdirSync(env.HOME)
  const init = await sandbox.run(['init', '--host', 'claude-code', '--scope', 'user', '--yes'], { env })
  expect([init.exitCode, init.stdout]).toEqual([0, expect.stringContaining('live')])
  const settings = JSON.parse(readFileSync(join(env.HOME, '.claude', 'settings.json'), 'utf8'))
  const [hook] = settings.hooks.PreToolUse[0].hooks
  const asked = (tool: string, input = {}) => {
    calls += 1
    const payload = { ...call(tool, input, { cwd: sandbox.project }), tool_use_id: `call-${calls}` }
    const options = { env, input: JSON.stringify(payload), encoding: 'utf8', cwd: sandbox.project } as const
    return spawnSync(hook.command, hook.args, options).stdout
  }

  write('pack.mjs', packText().replaceAll('acme', 'mine'))
  write('.holdpoint/config.yaml', 'version: 1\npacks: { mine: { from: ./pack.mjs } }\n')
  expect(asked('mcp__deploy__start')).not.toContain('"deny"')
  await sandbox.person(['trust', '--yes'], env)
  expect(asked('mcp__deploy__start')).toContain('starts a deployment')
  expect(asked('mcp__deploy__list')).not.toContain('"deny"')
  write('pack.mjs', `${packText().replaceAll('acme', 'mine')}// changed`)
  expect(asked('mcp__deploy__list')).toContain('not what was trusted')
  await sandbox.person(['trust', '--yes'], env)
  expect(asked('mcp__deploy__list')).not.toContain('"deny"')

  const [packed] = JSON.parse(npm(['pack', '--json', '--pack-destination', sandbox.folder], TEAM)) as [
    { readonly filename: string; readonly name: string },
  ]
  write('package.json', '{ "name": "project", "private": true }')
  const tarball = join(sandbox.folder, packed.filename)
  npm(['install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', tarball], sandbox.project)
  write('.holdpoint/config.yaml', `version: 1\nextends: ["${packed.name}"]\n`)
  await sandbox.person(['trust', '--yes'], env)
  expect(asked('Bash', { command: 'git push origin main' })).toContain('"deny"')
  expect(asked('Bash', { command: 'ls' })).not.toContain('"deny"')
  const tested = await sandbox.run(['test'], { env })
  expect([tested.exitCode, tested.stdout]).toEqual([0, expect.stringMatching(/passed|as expected/)])
  const installed = join(sandbox.project, 'node_modules', packed.name, 'push-to-main.ts')
  appendFileSync(installed, '// changed')
  expect(asked('Bash', { command: 'ls' })).toContain('not what was trusted')
})

const TEAM = join(import.meta.dirname, '..', '..', 'examples', 'team-policies')

function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}
