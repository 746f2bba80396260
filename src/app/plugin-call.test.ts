import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMemoryState } from '../storage/state/memory-state.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { createResponder, type HookResponse, type Responder } from './responder.ts'

/** One event, sent by a hook of the settings and by the plugin's hook. */

let folder: string
let home: Home
let responder: Responder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-plugin-'))
  home = homeLayout(join(folder, 'holdpoint'), { HOME: join(folder, 'user') })
  responder = createResponder({ home, state: createMemoryState(), now: () => performance.now() })
})
afterEach(() => rmSync(folder, { recursive: true }))

const ENTRY = '{"hooks":{"PreToolUse":[{"hooks":[{"command":"/h/bin/holdpoint-hook","args":[]}]}]}}'
const PLUGINS = '{"version":2,"plugins":{"holdpoint@holdpoint":[{"scope":"user"}]}}'

function write(path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
/** Hooks as `init` writes them: in the settings file, and noted in Holdpoint's own folder. */
function settings(text = ENTRY, path = 'user/.claude/settings.json', scope = 'user'): void {
  write(path, text)
  const install = { host: 'claude-code', scope, file: join(folder, path), entries: 13 }
  write('holdpoint/installs.json', JSON.stringify({ version: 1, installs: [install] }))
}
const plugins = (text = PLUGINS) => write('user/.claude/plugins/installed_plugins.json', text)

interface Asked {
  readonly event?: string
  readonly command?: string
  readonly id?: string
  readonly deadlineMs?: number
}

function ask(via: 'plugin' | undefined, { event = 'PreToolUse', command, id = 't', ...more }: Asked = {}) {
  const payload = {
    session_id: 's',
    cwd: join(folder, 'project'),
    hook_event_name: event,
    tool_name: 'Bash',
    tool_input: { command: command ?? 'git push --force' },
    tool_use_id: id,
    source: 'startup',
  }
  return responder.respond({
    host: 'claude-code',
    payload: `${JSON.stringify(payload)}\n`,
    cwd: '/',
    env: { CLAUDE_PROJECT_DIR: join(folder, 'project') },
    skills: [],
    ...(via === undefined ? {} : { via }),
    ...more,
  })
}

function isSilent({ reply, record }: HookResponse): boolean {
  return reply.stdout === '{}\n' && reply.exitCode === 0 && record() === undefined
}

function denies({ reply, record }: HookResponse): boolean {
  return reply.stdout.includes('"permissionDecision":"deny"') && record()?.effect === 'deny'
}

describe('the hook of the settings', () => {
  it('writes no note if there is no plugin', async () => {
    settings()
    expect(denies(await ask(undefined))).toBe(true)
    expect(existsSync(home.answering)).toBe(false)
  })

  it('writes notes from the start of a session if there is a plugin, and stops when the plugin is gone', async () => {
    plugins()
    await ask(undefined, { event: 'SessionStart' })
    expect(readdirSync(home.answering)).toHaveLength(1)
    plugins('{"version":2,"plugins":{}}')
    await ask(undefined, { event: 'SessionStart' })
    expect(existsSync(home.answering)).toBe(false)
  })

  it('deletes notes of old calls', async () => {
    plugins()
    write('holdpoint/answering/old', '')
    utimesSync(join(home.answering, 'old'), 0, 0)
    await ask(undefined, { event: 'SessionStart' })
    expect(existsSync(join(home.answering, 'old'))).toBe(false)
  })

  it('decides whatever the plugin did before', async () => {
    settings()
    await ask('plugin', { deadlineMs: 30 })
    expect(denies(await ask(undefined))).toBe(true)
    expect(denies(await ask(undefined))).toBe(true)
  })
})

describe("the plugin's hook", () => {
  it('decides at once if no settings file has a hook', async () => {
    write('holdpoint/answering/x', '')
    await ask(undefined)
    expect(denies(await ask('plugin'))).toBe(true)
  })

  it('skips a call that the settings hook answers, once', async () => {
    settings()
    write('holdpoint/answering/x', '')
    await ask(undefined)
    expect(isSilent(await ask('plugin'))).toBe(true)
    expect(denies(await ask('plugin', { deadlineMs: 60 }))).toBe(true)
  })

  it('waits for the settings hook, which may start later', async () => {
    settings()
    const plugin = ask('plugin')
    await new Promise((done) => setTimeout(done, 50))
    expect(denies(await ask(undefined))).toBe(true)
    expect(isSilent(await plugin)).toBe(true)
  })

  it('waits again in a session in which the settings hook answered after all', async () => {
    settings()
    const alone = () => readdirSync(home.answering).filter((name) => name.startsWith('alone-'))
    expect(denies(await ask('plugin', { deadlineMs: 30 }))).toBe(true)
    expect(alone()).toHaveLength(1)
    await ask(undefined)
    expect(isSilent(await ask('plugin'))).toBe(true)
    expect(alone()).toEqual([])
  })

  it.each([
    ['another call', { id: 'other' }],
    ['another command', { command: 'git push --force origin' }],
  ])('decides if the settings hook answers %s', async (_name, other) => {
    settings()
    write('holdpoint/answering/x', '')
    await ask(undefined, other)
    expect(denies(await ask('plugin', { deadlineMs: 60 }))).toBe(true)
  })

  it('decides if the note is old', async () => {
    settings()
    write('holdpoint/answering/x', '')
    await ask(undefined)
    for (const name of readdirSync(home.answering)) utimesSync(join(home.answering, name), 0, 0)
    expect(denies(await ask('plugin', { deadlineMs: 60 }))).toBe(true)
  })

  it('skips a call even if the note of an equal earlier call is left over', async () => {
    settings()
    write('holdpoint/answering/x', '')
    await ask(undefined)
    for (const name of readdirSync(home.answering)) utimesSync(join(home.answering, name), 0, 0)
    await ask(undefined)
    expect(isSilent(await ask('plugin', { deadlineMs: 60 }))).toBe(true)
  })

  it.each([
    ['project/.claude/settings.json', 'project'],
    ['project/.claude/settings.local.json', 'local'],
  ])('finds the hooks of `init` in %s', async (file, scope) => {
    settings(ENTRY, file, scope)
    write('holdpoint/answering/x', '')
    await ask(undefined)
    expect(isSilent(await ask('plugin'))).toBe(true)
  })

  it.each([
    ['of another project', () => settings(ENTRY, 'other/.claude/settings.local.json', 'local')],
    ['that a repository brought along', () => write('project/.claude/settings.json', ENTRY)],
  ])('decides next to hooks %s', async (_name, arrange) => {
    arrange()
    write('holdpoint/answering/x', '')
    await ask(undefined)
    expect(denies(await ask('plugin'))).toBe(true)
  })

  it.each([
    ['gone', () => rmSync(join(folder, 'user', '.claude', 'settings.json'))],
    ['emptied', () => settings('{}')],
    ['cut', () => settings(ENTRY.slice(0, 20))],
  ])('decides if the settings are %s in the middle of a session', async (_name, change) => {
    settings()
    write('holdpoint/answering/x', '')
    await ask(undefined)
    expect(isSilent(await ask('plugin'))).toBe(true)
    change()
    await ask(undefined, { id: 'next' })
    expect(denies(await ask('plugin', { id: 'next' }))).toBe(true)
  })

  it('waits only once in a session that does not read its settings', async () => {
    settings()
    const startedMs = performance.now()
    await ask('plugin', { deadlineMs: 900 })
    const firstMs = performance.now() - startedMs
    for (const id of ['b', 'c', 'd', 'e', 'f']) await ask('plugin', { id, deadlineMs: 900 })
    expect(firstMs).toBeGreaterThanOrEqual(300)
    expect(performance.now() - startedMs - firstMs).toBeLessThan(5 * 300)
  })

  it('decides if its folder cannot be created', async () => {
    settings()
    write('holdpoint/answering', 'a file in its place')
    expect(denies(await ask('plugin', { deadlineMs: 60 }))).toBe(true)
    expect(denies(await ask(undefined))).toBe(true)
  })
})
