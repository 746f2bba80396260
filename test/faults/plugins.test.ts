import { chmodSync, chownSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { INSTALLERS } from '../../src/hosts/installers.ts'
import { isLinux, onLinux } from '../../src/library/testing/linux-only.ts'
import { connectionsTo, eventually, readText } from '../processes.ts'
import { freeze, type Installation, isRoot, it, kill, preventDaemonStart } from './installation.ts'

/**
 * The plugin files that `init` writes, loaded as their agents load them. Each always loads; whatever is broken behind it or
 * done to it, no denied call runs. What OpenCode has beyond that is in `opencode-plugin.test.ts`.
 */

/** A loaded plugin, in the words of these tests. An answer is `undefined` (it runs), a new input, or a reason. */
interface Loaded {
  call(input: unknown, id?: string): Promise<Answer>
  prompt(text: string): Promise<string | undefined>
}

type Answer = { readonly input: unknown } | { readonly reason: string } | undefined

/** How an agent loads the module, and how it asks. */
interface Way {
  readonly shell: { readonly tool: string; input(command: string): Record<string, unknown> }
  load(module: { readonly default?: unknown }): Promise<(tool: string) => Loaded> | ((tool: string) => Loaded)
}

type Handler = (event: object, context: object) => Promise<Record<string, unknown> | undefined>

const CONTEXT = { cwd: '/srv/project', hasUI: false, sessionManager: { getSessionId: () => 's1' }, ui: {} }
const AGENT = {
  agentId: 'main',
  sessionKey: 'agent:main:main',
  sessionId: 's1',
  workspaceDir: '/srv/project',
}
let calls = 0
const nextId = () => {
  calls += 1
  return `call_${calls}`
}

const WAYS: Readonly<Record<string, Way>> = {
  pi: {
    shell: { tool: 'bash', input: (command) => ({ command }) },
    async load(module) {
      const on = new Map<string, Handler>()
      await (module.default as (api: object) => Promise<void>)({
        on: (name: string, handler: Handler) => on.set(name, handler),
      })
      return (toolName) => ({
        async call(input, id = nextId()) {
          const said = await on.get('tool_call')?.({ toolName, toolCallId: id, input }, CONTEXT)
          return said?.block === true ? { reason: String(said.reason) } : { input }
        },
        async prompt(text) {
          let shown = ''
          const ui = { notify: (each: string) => (shown += each) }
          const said = await on.get('input')?.({ text }, { ...CONTEXT, ui })
          return said?.action === 'handled' ? shown : undefined
        },
      })
    },
  },
  cline: {
    shell: { tool: 'run_commands', input: (command) => ({ commands: [command] }) },
    load(module) {
      const { hooks, setup } = module.default as {
        hooks: Record<string, Handler>
        setup(...given: readonly object[]): void
      }
      setup({}, { session: { sessionId: 's1' }, workspaceInfo: { rootPath: '/srv/project' } })
      const snapshot = {
        agentId: 'a1',
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello.' }] }],
      }
      return (toolName) => ({
        async call(input, id = nextId()) {
          const call = { snapshot, toolCall: { toolName, toolCallId: id }, input }
          const said = await hooks.beforeTool?.(call, {})
          return said?.skip === true ? { reason: String(said.reason) } : { input: said?.input ?? input }
        },
        async prompt() {
          try {
            await hooks.beforeRun?.({ snapshot }, {})
            return undefined
          } catch (error) {
            return String(error)
          }
        },
      })
    },
  },
  openclaw: {
    shell: { tool: 'exec', input: (command) => ({ command }) },
    load(module) {
      const on = new Map<string, Handler>()
      const { register } = module.default as { register(api: object): void }
      register({
        on: (name: string, handler: Handler) => on.set(name, handler),
        registerAgentToolResultMiddleware: (handler: Handler) => on.set('tool_result', handler),
      })
      return (toolName) => ({
        async call(input, id = nextId()) {
          const event = { toolName, toolCallId: id, params: input }
          const said = await on.get('before_tool_call')?.(event, AGENT)
          return said?.block === true
            ? { reason: String(said.blockReason) }
            : { input: said?.params ?? input }
        },
        async prompt(prompt) {
          const said = await on.get('before_agent_run')?.({ prompt }, { ...AGENT, runId: nextId() })
          return said?.outcome === 'block' ? String(said.message) : undefined
        },
      })
    },
  },
}

let files = 0

/** The text of the plugin file for this installation. */
async function pluginText(host: string, { home, project }: Installation): Promise<string> {
  const installer = (await INSTALLERS[host]?.())?.installer
  if (installer === undefined) throw new Error(`There is no installer for ${host}.`)
  const options = { command: home.hookProgram, home: home.folder, version: undefined }
  const own = Object.entries(installer.ownFiles?.({ project, home: home.user, env: {} }, options) ?? {})
  const found = own.find(([path]) => path.endsWith('/index.js'))?.[1]
  if (found !== undefined) return found
  const written = installer.install(undefined, options)
  if (!written.ok) throw new Error(written.problem.message)
  return written.value
}

async function load(host: string, installation: Installation, fresh = true): Promise<Loaded> {
  files += 1
  const file = join(installation.folder, `plugin-${files}.mjs`)
  const text = await pluginText(host, installation)
  // A module that failed to load once would not be loaded again in this process from the same address.
  writeFileSync(file, fresh ? text.replace('/dist/plugins.mjs"', `/dist/plugins.mjs?${files}"`) : text)
  const way = WAYS[host]
  if (way === undefined) throw new Error(`There is no way to load ${host}.`)
  return (await way.load(await import(file)))(way.shell.tool)
}

const inputOf = (host: string, command: string) => WAYS[host]?.shell.input(command) ?? {}

/** What the plugin says, and what the daemon says. */
const LATE = /no answer in time|No decision within/

/** Cline waits three seconds. What a busy machine cannot decide by then is stopped, and asked again here. */
function answered(plugin: Loaded, input: unknown, id?: string): Promise<NonNullable<Answer>> {
  return eventually(async () => {
    const answer = await plugin.call(input, id)
    return answer !== undefined && 'reason' in answer && LATE.test(answer.reason) ? undefined : answer
  }, 'it answers in time')
}

async function expectRightAnswers(host: string, plugin: Loaded): Promise<void> {
  expect(await answered(plugin, inputOf(host, 'git push --force'))).toMatchObject({
    reason: expect.stringMatching(/Force push/),
  })
  expect(await answered(plugin, inputOf(host, 'ls'))).toEqual({ input: inputOf(host, 'ls') })
}

describe.concurrent.each(Object.keys(WAYS))('the plugin file of %s', (host) => {
  it('denies, lets others pass, and records that it was loaded', async ({ installation }) => {
    await installation.startDaemon()
    const plugin = await load(host, installation)
    await expectRightAnswers(host, plugin)
    await eventually(async () => (await plugin.prompt('Hello.')) === undefined, 'the prompt goes on')
    expect(readText(join(installation.home.run, `plugin-${host}.json`))).toContain('"loaded"')
  })

  it('loads even if the installed copy is missing or broken, and then stops everything', async ({
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
      const plugin = await load(host, installation)
      expect(await plugin.call(inputOf(host, 'ls'))).toMatchObject({
        reason: expect.stringMatching(/could not be loaded.*npx holdpoint doctor/),
      })
      expect(await plugin.prompt('Hello.')).toMatch(/could not be loaded/)
    }
  })

  it('stops everything if the home is missing, and does not create it', async ({ installation }) => {
    const daemon = await installation.startDaemon()
    const plugin = await load(host, installation)
    // Some of the files load the rest at the first event.
    await expectRightAnswers(host, plugin)
    await kill(daemon)
    rmSync(installation.home.folder, { recursive: true, force: true })
    expect(await plugin.call(inputOf(host, 'ls'))).toMatchObject({
      reason: expect.stringMatching(/is missing/),
    })
    expect(await plugin.prompt('Hello.')).toMatch(/is missing/)
    expect(readText(join(installation.home.folder, 'run', `plugin-${host}.json`))).toBe('')
  })

  it('stops everything if other users own the home or can write to it', async ({ installation }) => {
    await installation.startDaemon()
    const plugin = await load(host, installation)
    const { folder } = installation.home
    // Only root can give a folder to another user. Otherwise only the mode is tested.
    if (isRoot) {
      chownSync(folder, 65_534, 65_534)
      expect(await plugin.call(inputOf(host, 'ls'))).toMatchObject({
        reason: expect.stringMatching(/belongs to another user/),
      })
      chownSync(folder, 0, 0)
    }
    chmodSync(folder, 0o777)
    expect(await plugin.call(inputOf(host, 'ls'))).toMatchObject({
      reason: expect.stringMatching(/writable for other users/),
    })
    chmodSync(folder, 0o700)
    await expectRightAnswers(host, plugin)
  })

  it('decides the same if it is loaded twice', async ({ installation }) => {
    await installation.startDaemon()
    const [one, two] = await Promise.all([load(host, installation, false), load(host, installation, false)])
    const force = inputOf(host, 'git push --force')
    for (const plugin of [one, two])
      expect(await answered(plugin, force, 'same')).toMatchObject({
        reason: expect.stringMatching(/Force push/),
      })
    await Promise.all([expectRightAnswers(host, one), expectRightAnswers(host, two)])
  })

  it.runIf(isLinux)(
    onLinux(
      'still denies if the daemon is killed between request and reply',
      'only there connections to a socket are listed',
    ),
    async ({ installation }) => {
      const plugin = await load(host, installation)
      const pid = await installation.startDaemon()
      await freeze(pid)
      const asked = plugin.call(inputOf(host, 'git push --force'))
      const name = `${installation.home.run}/hook.${pid}.sock`
      const waiting = () => connectionsTo(name)
      await eventually(() => waiting() > 0, 'it waits for the daemon')
      await kill(pid)
      expect(await asked).toMatchObject({ reason: expect.any(String) })
    },
  )

  it('lets no call run that is frozen, changes meanwhile or cannot be written as JSON', async ({
    installation,
  }) => {
    await installation.startDaemon()
    const plugin = await load(host, installation)
    const frozen = Object.freeze(inputOf(host, 'git push --force'))
    expect(await answered(plugin, frozen)).toMatchObject({ reason: expect.stringMatching(/Force push/) })
    const changing = inputOf(host, 'ls')
    const asked = plugin.call(changing)
    // The plugin has read the call by then, and no reply can arrive in the same turn of the event loop.
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
    Object.assign(changing, inputOf(host, 'git push --force'))
    expect(await asked).toMatchObject({
      reason: expect.stringMatching(/changed while it was checked|no answer in time/),
    })
    const cyclic: Record<string, unknown> = inputOf(host, 'ls')
    cyclic.self = cyclic
    await expect(stopped(plugin.call(cyclic))).resolves.toBe(true)
    await expect(stopped(plugin.call({ n: 1n }))).resolves.toBe(true)
  })

  it('runs a call changed, or not at all', async ({ installation }) => {
    const updatedInput = JSON.stringify({ hookSpecificOutput: { updatedInput: { command: 'echo safe' } } })
    writeFileSync(
      installation.home.userConfig,
      `version: 1\nhooks:\n  PreToolUse:\n    - { match: Bash, run: "echo '${updatedInput.replaceAll('"', '\\"')}'" }\n`,
    )
    await installation.startDaemon()
    const plugin = await load(host, installation)
    expect(await answered(plugin, inputOf(host, 'echo unsafe'))).toEqual({
      input: inputOf(host, 'echo safe'),
    })
  })
})

/** A throw is a block in each of these agents, or ends the run. */
async function stopped(call: Promise<Answer>): Promise<boolean> {
  try {
    const answer = await call
    return answer !== undefined && 'reason' in answer
  } catch {
    return true
  }
}

describe.concurrent('two agents', () => {
  it('on one socket, with one session id, are decided apart', async ({ installation }) => {
    await installation.startDaemon()
    const plugins = await Promise.all(Object.keys(WAYS).map((host) => load(host, installation)))
    await Promise.all(Object.keys(WAYS).map((host, at) => expectRightAnswers(host, plugins[at] as Loaded)))
    // The journal takes in its records a little later. A call that was answered late was asked, and denied, again.
    await eventually(async () => {
      const { stdout } = await installation.command('log', '--json')
      const records = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
      const hosts = records.filter(({ effect, session }) => effect === 'deny' && session === 's1')
      const denied = new Set(hosts.map(({ host }) => String(host)))
      return Object.keys(WAYS).every((host) => denied.has(host))
    }, 'each agent has its denial on record')
  })

  it('that find no daemon start one, and are answered', async ({ installation }) => {
    const allowDaemonStart = preventDaemonStart(installation)
    const plugin = await load('pi', installation)
    await expectRightAnswers('pi', plugin)
    allowDaemonStart()
    await expectRightAnswers('pi', plugin)
    await eventually(installation.status, 'a daemon serves')
  })
})
