import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { isLinux, onLinux } from '../../src/library/testing/linux-only.ts'
import { connectionsTo, eventually } from '../processes.ts'
import { type PythonRan, runPython, startPythonClient } from '../python/python.ts'
import { bash, freeze, type Installation, it, kill } from './installation.ts'

/** The Python package with the real daemon and the installed hook program. What is broken around it, test/python has. */

const CALL = (command: string) => ({
  ...{ hook_type: 'PreToolUse', session_id: 's', orchestrator_id: 'o', agent_id: 'agent1' },
  ...{ timestamp: '2026-01-15T12:00:00Z', tool_name: 'Bash', tool_input: { command } },
})

/** Runs a program that has `hooks`, `call(command)` and the package, and returns what it prints. */
async function python(installation: Installation, program: string): Promise<string> {
  const start = `
import asyncio, json, os, sys, threading
from holdpoint import HookManager
hooks = HookManager(home=${JSON.stringify(installation.home.folder)}, cwd=${JSON.stringify(installation.project)}, deadline=200)
def call(command):
    return {**json.loads(${JSON.stringify(JSON.stringify(CALL('')))}), 'tool_input': {'command': command}}
`
  const ran: PythonRan = await runPython(['-X', 'dev', '-W', 'error', '-c', start + program])
  expect(ran.exitCode, ran.stderr).toBe(0)
  return ran.stdout
}

const BOTH = `print(hooks.execute(call('git push --force')).decision, hooks.execute(call('ls')).decision)
print(*(asyncio.run(hooks.execute_async(call(each))).decision for each in ('git push --force', 'ls')))
`
const RIGHT = 'deny allow\ndeny allow\n'

describe.concurrent('with the Python package, a daemon', () => {
  it('that is not running is started by the hook program, and answers the next call', async ({
    installation,
  }) => {
    expect(await python(installation, BOTH)).toBe(RIGHT)
    const before = await eventually(installation.status, 'a daemon serves')
    expect(await python(installation, BOTH)).toBe(RIGHT)
    const after = await eventually(installation.status, 'a daemon serves')
    expect([after.pid, after.answered - before.answered]).toEqual([before.pid, 4])
  })

  it.runIf(isLinux)(
    onLinux(
      'that is killed between question and answer does not change the answer',
      'only there connections to a socket are listed',
    ),
    async ({ installation }) => {
      const pid = await installation.startDaemon()
      await freeze(pid)
      const client = startPythonClient()
      const { folder: home, run } = installation.home
      const where = { home, cwd: installation.project, env: { PATH: process.env.PATH ?? '' } }
      const payload = Buffer.from(JSON.stringify(bash('git push --force')))
      const event = { host: 'claude-code', event: 'PreToolUse', onFailure: 'deny' as const, payload }
      const asked = client.ask({ ...event, ...where, deadline: 200, isAsync: false })
      const waiting = () => connectionsTo(`${run}/hook.${pid}.sock`)
      await eventually(() => waiting() > 0, 'Python waits for the daemon')
      await kill(pid)
      expect((await asked).stdout).toContain('"deny"')
      client.stop()
    },
  )

  it('that hangs is skipped, and another one replaces it', async ({ installation }) => {
    const pid = await installation.startDaemon()
    await freeze(pid)
    expect(await python(installation, BOTH)).toBe(RIGHT)
    await eventually(async () => (await installation.status())?.pid !== pid, 'another daemon serves')
    process.kill(pid, 'SIGCONT')
  })

  it('answers threads, forked processes and tasks at once', async ({ installation }) => {
    await installation.startDaemon()
    const program = `
from concurrent.futures import ThreadPoolExecutor
commands = ['git push --force', 'ls'] * 10
with ThreadPoolExecutor(8) as pool:
    print({*zip(commands, pool.map(lambda each: hooks.execute(call(each)).decision, commands))} ==
          {('git push --force', 'deny'), ('ls', 'allow')})
async def both():
    return [each.decision for each in await asyncio.gather(*(hooks.execute_async(call(c)) for c in commands))]
print(asyncio.run(both()) == ['deny', 'allow'] * 10)
sys.stdout.flush()
if os.fork() == 0:
    print(hooks.execute(call('git push --force')).decision, flush=True)
    os._exit(0)
os.wait()
`
    expect(await python(installation, program)).toBe('True\nTrue\ndeny\n')
  })
})

describe.concurrent('with the Python package', () => {
  it('an event that is too large is refused with the reason, and a large one is judged', async ({
    installation,
  }) => {
    const program = `
result = hooks.execute(call('git push --force # ' + 'x' * (33 << 20)))
print(result.decision, 'larger than' in result.reason)
print(hooks.execute({**call('ls'), 'tool_name': 'Write', 'tool_input': {'content': 'x' * (4 << 20)}}).decision)
print(hooks.execute(call('git push --force # ' + 'x' * 10_000)).decision)
`
    expect(await python(installation, program)).toBe('deny True\nallow\ndeny\n')
  })

  it('NUL bytes and other characters are judged as they are', async ({ installation }) => {
    const program = `
for command in ('git push --force \\0', 'git\\u00a0push', '\\ud800', 'ls'):
    print(hooks.execute(call(command)).decision)
print(hooks.execute({'hook_type': 'PreToolUse', 'tool_name': 'Bash\\0', 'tool_input': {}}).decision)
`
    const told = (await python(installation, program)).trim().split('\n')
    expect(told).toHaveLength(5)
    expect([told[0], told[3]]).toEqual(['deny', 'allow'])
  })

  it('a home without its programs denies everything, and is not changed', async ({ installation }) => {
    rmSync(join(installation.home.folder, 'bin'), { recursive: true })
    expect(await python(installation, BOTH)).toBe('deny deny\ndeny deny\n')
    expect(existsSync(join(installation.home.folder, 'bin'))).toBe(false)
  })

  it('MassGen hooks of the program and the engine decide about the same call', async ({ installation }) => {
    const program = `
from holdpoint.massgen import GeneralHookManager, HookResult, HookType
manager = GeneralHookManager(home=hooks.client.home, deadline=200)
async def harmless(event):
    return HookResult.allow(updated_input={'command': event.tool_input['command'].replace('--force', '--dry-run')})
def pushes(event):
    return HookResult.ask('Push now?')
manager.register_global_hook(HookType.PRE_TOOL_USE, harmless, matcher='Bash')
manager.register_agent_hook('agent1', HookType.PRE_TOOL_USE, pushes)
context = {'session_id': 's', 'orchestrator_id': 'o', 'agent_id': 'agent1'}
for command in ('git push --force', 'rm -rf /'):
    result = asyncio.run(manager.execute_hooks(HookType.PRE_TOOL_USE, 'Bash', json.dumps({'command': command}), context))
    print(result.decision, result.updated_input, [each['hook'] for each in result.executions])
`
    expect((await python(installation, program)).split('\n').slice(0, 2)).toEqual([
      "ask {'command': 'git push --dry-run'} ['harmless', 'pushes']",
      "deny None ['harmless', 'pushes']",
    ])
  })

  it('calls are in the journal, with the agent that made them', async ({ installation }) => {
    await python(installation, `hooks.execute(call('git push --force'))`)
    const { stdout } = await installation.command('log', '--json', '--limit', '5')
    expect(stdout).toContain('"agent1"')
    expect(stdout).toContain('git push --force')
  })
})
