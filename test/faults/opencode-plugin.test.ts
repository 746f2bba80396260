import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { installer } from '../../src/hosts/opencode/install.ts'
import { isLinux, onLinux } from '../../src/library/testing/linux-only.ts'
import { connectionsTo, eventually, readText } from '../processes.ts'
import { freeze, type Installation, it, kill, preventDaemonStart } from './installation.ts'

/** The installed plugin file of OpenCode, loaded as the agent loads it. It always loads, and no denied call runs. */

interface Hooks {
  'chat.message'(input: object, output: object): Promise<void>
  'tool.execute.before'(input: object, output: object): Promise<void>
  'tool.execute.after'?(input: object, output: object): Promise<void>
  event?(input: object): Promise<void>
}

let files = 0
let calls = 0

/** Loads what `init` writes, from a folder of the test. Each call loads a new module. */
async function load(installation: Installation, context: object = {}): Promise<Hooks> {
  const { hookProgram, folder } = installation.home
  const written = installer.install(undefined, { command: hookProgram, home: folder, version: undefined })
  if (!written.ok) throw new Error(written.problem.message)
  files += 1
  const file = join(installation.folder, `plugin-${files}.mjs`)
  // A module that failed to load once would not be loaded again in this process from the same address.
  writeFileSync(file, written.value.replace('/dist/plugins.mjs"', `/dist/plugins.mjs?${files}"`))
  const { Holdpoint } = (await import(file)) as { Holdpoint: (context: object) => Promise<Hooks> }
  return Holdpoint({ directory: installation.project, ...context })
}

function at(tool = 'bash', sessionID = 'ses_1') {
  calls += 1
  return { tool, sessionID, callID: `call_${calls}` }
}

const shell = (command: string) => ({ args: { command, description: 'Run it' } })

async function expectRightAnswers(hooks: Hooks): Promise<void> {
  await expect(hooks['tool.execute.before'](at(), shell('git push --force'))).rejects.toThrow(/Force push/)
  await hooks['tool.execute.before'](at(), shell('ls'))
}

describe.concurrent('the plugin file', () => {
  it('throws to deny a call, lets others pass, and records that it was loaded', async ({ installation }) => {
    const hooks = await load(installation)
    await expectRightAnswers(hooks)
    expect(readText(join(installation.home.run, 'plugin-opencode.json'))).toContain('"loaded"')
    await hooks['chat.message']({ sessionID: 'ses_1' }, { parts: [{ type: 'text', text: 'Hello.' }] })
    await hooks.event?.({ event: { type: 'session.idle', properties: { sessionID: 'ses_1' } } })
  })

  it('loads even if the installed copy is missing or broken, and then stops every call', async ({
    installation,
  }) => {
    const module = join(installation.home.runtime, 'current', 'dist', 'plugins.mjs')
    for (const text of [
      undefined,
      'this is not JavaScript',
      'export const other = 1',
      'throw new Error("x")',
    ]) {
      rmSync(module, { force: true })
      if (text !== undefined) writeFileSync(module, text)
      const hooks = await load(installation)
      await expect(hooks['tool.execute.before'](at(), shell('ls'))).rejects.toThrow(/could not be loaded/)
      await expect(hooks['chat.message']({}, {})).rejects.toThrow(/npx holdpoint doctor/)
    }
  })

  it('stops every call if the home is missing, and does not create it', async ({ installation }) => {
    const hooks = await load(installation)
    await installation.startDaemon()
    const { folder } = installation.home
    await kill((await eventually(installation.status, 'a daemon serves')).pid)
    rmSync(folder, { recursive: true, force: true })
    await expect(hooks['tool.execute.before'](at(), shell('ls'))).rejects.toThrow(/is missing/)
    const prompt = { parts: [{ type: 'text', text: 'Hello.' }] }
    await expect(hooks['chat.message']({ sessionID: 'ses_1' }, prompt)).rejects.toThrow(/is missing/)
    expect(readText(join(folder, 'run', 'plugin-opencode.json'))).toBe('')
  })

  it('decides the same if it is loaded twice, and for two agents at once', async ({ installation }) => {
    const [one, two] = await Promise.all([load(installation), load(installation)])
    const call = at()
    await expect(one['tool.execute.before'](call, shell('git push --force'))).rejects.toThrow(/Force push/)
    await expect(two['tool.execute.before'](call, shell('git push --force'))).rejects.toThrow(/Force push/)
    await Promise.all([expectRightAnswers(one), expectRightAnswers(two)])
  })

  it.runIf(isLinux)(
    onLinux(
      'still denies if the daemon is killed between request and reply',
      'only there connections to a socket are listed',
    ),
    async ({ installation }) => {
      const hooks = await load(installation)
      const pid = await installation.startDaemon()
      await freeze(pid)
      const asked = hooks['tool.execute.before'](at(), shell('git push --force'))
      const stopped = expect(asked).rejects.toThrow(/Force push/)
      const name = `${installation.home.run}/hook.${pid}.sock`
      const waiting = () => connectionsTo(name)
      await eventually(() => waiting() > 0, 'it waits for the daemon')
      await kill(pid)
      await stopped
      await expectRightAnswers(hooks)
    },
  )
})

const REWRITE = `version: 1
hooks:
  PreToolUse:
    - match: Bash
      run: echo '{"hookSpecificOutput":{"updatedInput":{"command":"echo safe"}}}'
`

describe.concurrent('with the plugin file, a call', () => {
  it('is changed in place, or does not run', async ({ installation }) => {
    writeFileSync(installation.home.userConfig, REWRITE)
    const hooks = await load(installation)
    const output = shell('echo unsafe')
    const { args } = output
    await hooks['tool.execute.before'](at(), output)
    expect(args).toEqual({ command: 'echo safe' })
    const frozen = { args: Object.freeze(shell('echo unsafe').args) }
    await expect(hooks['tool.execute.before'](at(), frozen)).rejects.toThrow()
    const fixed = {
      args: Object.defineProperty({ description: 'x' }, 'command', {
        value: 'echo unsafe',
        enumerable: true,
      }),
    }
    await expect(hooks['tool.execute.before'](at(), fixed)).rejects.toThrow()
  })

  it('that the agent changes during the check does not run', async ({ installation }) => {
    const hooks = await load(installation)
    for (const change of [
      (output: { args: { command: string } }) => {
        output.args.command = 'git push --force'
      },
      (output: { args: { command: string } }) => {
        output.args = { command: 'git push --force' }
      },
    ]) {
      const output = shell('ls')
      const asked = hooks['tool.execute.before'](at(), output)
      change(output)
      await expect(asked).rejects.toThrow(/changed while it was checked/)
    }
  })

  it('that is not JSON, or has no session, does not run', async ({ installation }) => {
    const hooks = await load(installation)
    const cyclic: Record<string, unknown> = { command: 'ls' }
    cyclic.self = cyclic
    await expect(hooks['tool.execute.before'](at(), { args: cyclic })).rejects.toThrow()
    await expect(hooks['tool.execute.before'](at(), { args: 'ls' })).rejects.toThrow()
    await expect(hooks['tool.execute.before'](undefined as never, shell('ls'))).rejects.toThrow()
    await expect(hooks['tool.execute.before'](at(), undefined as never)).rejects.toThrow()
  })

  it('of a sub-agent is recorded for that sub-agent, and is checked even if the agent does not know its session', async ({
    installation,
  }) => {
    const sessions: Record<string, object> = {
      ses_3: { parentID: 'ses_2', agent: 'explore' },
      ses_2: { parentID: 'ses_1', agent: 'general' },
      ses_1: {},
    }
    const get = async ({ path: { id } }: { path: { id: string } }) => ({ data: sessions[id] })
    const hooks = await load(installation, { client: { session: { get } } })
    await expect(
      hooks['tool.execute.before'](at('bash', 'ses_3'), shell('git push --force')),
    ).rejects.toThrow()
    const { stdout } = await installation.command('log', '--json')
    const record = stdout.split('\n').find((line) => line.includes('ses_3')) ?? '{}'
    expect(JSON.parse(record)).toMatchObject({ session: 'ses_1', agent: 'ses_3', agentType: 'explore' })
    for (const broken of [() => new Promise(() => {}), () => Promise.reject(new Error('x')), undefined]) {
      const other = await load(installation, { client: { session: { get: broken } } })
      await expectRightAnswers(other)
    }
  })

  it('keeps its result if nothing answers after it', async ({ installation }) => {
    const hooks = await load(installation)
    const allowDaemonStart = preventDaemonStart(installation)
    rmSync(installation.home.hookProgram)
    const output = { title: 't', output: 'what it printed', metadata: {} }
    await hooks['tool.execute.after']?.({ ...at(), args: {} }, output)
    expect(output.output).toBe('what it printed')
    allowDaemonStart()
  })
})
