import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { INSTALLERS } from '../../src/hosts/installers.ts'
import { createScreenSandbox, type ScreenSandbox } from '../e2e/screen.ts'
import { personAt } from '../e2e/terminal.ts'

/** Problems around an agent, with the installed program, for one agent of each kind of hook file. */

let sandbox: ScreenSandbox
beforeEach(() => {
  sandbox = createScreenSandbox()
})
afterEach(() => sandbox.remove())

const MEMBERS = await Promise.all(Object.values(INSTALLERS).map((load) => load()))
const KINDS = ['goose', 'kimi', 'cursor']
const HOSTS = MEMBERS.map(({ installer }) => [installer.host, installer] as const).filter(([host]) =>
  KINDS.includes(host),
)

const initWords = (host: string) => ['init', '--host', host, '--unproved', '--yes']
const init = (host: string) => sandbox.run(initWords(host))
const status = async (host: string) => {
  const { agents } = JSON.parse(await sandbox.run(['status', '--json']))
  return agents.find((agent: { host: string }) => agent.host === host)
}

/** A program on PATH that can only print its version. */
function agent(name: string, version: string): void {
  sandbox.write(`../bin/${name}`, `#!/bin/sh\necho "${version}"\n`, 0o755)
}

describe.each(HOSTS)('%s', (host, installer) => {
  const file = () => installer.file('user', { project: sandbox.project, home: sandbox.user, env: {} }) ?? ''

  it('is guarded before its program is installed, and stays guarded when the program is upgraded', async () => {
    rmSync(join(sandbox.user, '../bin/claude'), { force: true })
    const said = await init(host)
    expect(said).toContain(`${installer.program} is not on PATH, so its version is unknown.`)
    expect(said).toMatch(/live (\d+) of \1 events/)
    const written = readFileSync(file(), 'utf8')
    for (const version of ['9000.1.0', '9001.2.3']) {
      agent(installer.program, version)
      expect(await status(host)).toMatchObject({ found: true, version })
    }
    await init(host)
    expect(readFileSync(file(), 'utf8')).toBe(written)
  })

  it('is not changed and not reported as guarded if its file was broken by hand', async () => {
    await init(host)
    // The file is a list, which no reader of JSON or TOML takes for hooks.
    const broken = file().endsWith('.toml') ? 'hooks = [\n' : '[{"hooks": '
    writeFileSync(file(), broken)
    expect(await status(host)).toMatchObject({ guarded: false })
    const said = await init(host)
    expect(said.replaceAll(/\s+/g, ' ')).toMatch(/nothing was changed/i)
    expect(readFileSync(file(), 'utf8')).toBe(broken)
  })

  it('is not reported as guarded if its file came from another machine, until `init` repairs it', async () => {
    await init(host)
    const here = readFileSync(file(), 'utf8')
    const home = join(sandbox.user, '.config/holdpoint')
    const other = join(sandbox.user, '../srv/.config/holdpoint')
    const synced = here.replaceAll(home, other)
    expect(synced).not.toBe(here)
    writeFileSync(file(), synced)
    expect(await status(host)).toMatchObject({ guarded: false, because: [expect.stringContaining(other)] })
    // Without its programs it blocks everything, and only a person may end that.
    expect(await init(host)).toMatch(/is only for people where it\s+replaces\s+the\s+hooks\s+of/)
    expect(readFileSync(file(), 'utf8')).toBe(synced)
    const place = { cwd: sandbox.project, env: { HOME: sandbox.user, PATH: sandbox.path }, home: other }
    expect(personAt(place, initWords(host))).toMatchObject({ exitCode: 0 })
    expect(readFileSync(file(), 'utf8')).toBe(here)
  })
})

test('`init` for an unknown agent lists the known agents', async () => {
  const said = await sandbox.run(['init', '--host', 'nonesuch', '--yes'])
  expect(said).toContain('Unknown host "nonesuch". Hosts: claude-code, codex, copilot')
  expect(existsSync(join(sandbox.user, '.config/holdpoint'))).toBe(false)
})

test('two agents in one project with the same session id each get their own answer', async () => {
  await init('claude-code')
  await init('droid')
  mkdirSync(dirname(join(sandbox.project, 'x')), { recursive: true })
  sandbox.write(
    'project/.holdpoint/config.yaml',
    'version: 1\nrules: [{ id: ask-first, match: Bash, when: { shell: { command: deploy } }, ask: Sure? }]\n',
  )
  const call = (tool_name: string) =>
    JSON.stringify({
      ...{ session_id: 'one', hook_event_name: 'PreToolUse', cwd: sandbox.project, tool_use_id: 'call_1' },
      ...{ tool_name, tool_input: { command: 'deploy now' } },
    })
  const ask = () => sandbox.run(['hook', 'claude-code'], { stdin: call('Bash') })
  const deny = () => sandbox.run(['hook', 'droid'], { stdin: call('Execute') })
  const replies = await Promise.all([ask(), deny(), ask(), deny()])
  for (const at of [0, 2]) expect(replies[at]).toContain('"permissionDecision":"ask"')
  for (const at of [1, 3]) expect(replies[at]).toMatch(/"permissionDecision":"deny"|^Sure\?/m)
  const records = (await sandbox.run(['log', '--json'])).split('\n').filter((line) => line.includes('"one"'))
  expect(new Set(records.map((line) => JSON.parse(line).host))).toEqual(new Set(['claude-code', 'droid']))
})

test('rules that the agent cannot enforce are reported by `init`, `status` and `lint`, with the stricter rule', async () => {
  const expected = [/Goose: what a sub-agent does is not seen/, /deny the tool Agent \(`delegate`\)/]
  const said = (await init('goose')).replaceAll(/\s+/g, ' ')
  const shown = (await sandbox.run(['status'])).replaceAll(/\s+/g, ' ')
  const lint = (await sandbox.run(['lint'])).replaceAll(/\s+/g, ' ')
  for (const text of [said, shown, lint]) for (const each of expected) expect(text).toMatch(each)
  expect(shown).toMatch(/Goose: a hook that is killed, takes too long .* lets the tool run/)
  const { limits } = JSON.parse(await sandbox.run(['status', '--json']))
  expect(limits).toEqual([
    { host: 'goose', cannotHold: expect.any(Array), open: [expect.stringContaining('lets the tool run')] },
  ])
})
