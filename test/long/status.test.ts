import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createScreenSandbox, type ScreenSandbox } from '../e2e/screen.ts'
import { atTerminal } from '../e2e/terminal.ts'

/** `status`, and the same headline in `doctor`: what is guarded, and first what is not. */

let sandbox: ScreenSandbox
beforeEach(() => {
  sandbox = createScreenSandbox()
})
afterEach(() => sandbox.remove())

const init = (...args: string[]) => sandbox.run(['init', '--host', 'claude-code', '--yes', ...args])
const status = async () => JSON.parse(await sandbox.run(['status', '--json']))

/** A person pauses everything at a terminal. */
async function pause(): Promise<string> {
  const home = join(sandbox.user, '.config/holdpoint')
  const typed = await atTerminal({ project: sandbox.project, home }, ['pause', '1h', '--all'], {
    type: 'pause',
    env: { HOME: sandbox.user },
  })
  expect(typed.exitCode, typed.text).toBe(0)
  // People read the local time, which is UTC here.
  return (await status()).pause.until.slice(0, 19).replace('T', ' ')
}

describe('holdpoint status', () => {
  it('says that nothing is guarded before `init`', async () => {
    expect(await status()).toMatchObject({
      ok: false,
      headline: [expect.stringMatching(/^NOT GUARDED: claude-code: it has no hooks here/)],
    })
  })

  it('fits a screen of 80 and of 60 columns', async () => {
    await init()
    sandbox.write(
      'project/.holdpoint/config.yaml',
      'version: 1\nrules: [{ id: no-prod, match: Bash, when: { shell: { command: psql } }, deny: Use the replica. }]\n',
    )
    for (const columns of [80, 60]) {
      const shown = await sandbox.screen(['status'], columns)
      await expect(shown).toMatchFileSnapshot(`screens/status-${columns}.txt`)
      expect(shown.split('\n').length).toBeLessThanOrEqual(25)
    }
  })

  it('names hooks that do not run, because they are not trusted or have changed', async () => {
    await init()
    const hook = 'version: 1\nhooks: { PreToolUse: [{ id: no-deploy, match: Bash, run: ./deploy.sh }] }\n'
    sandbox.write('project/.holdpoint/config.yaml', hook)
    sandbox.write('project/deploy.sh', '#!/bin/sh\n', 0o755)
    const untrusted = /^NOT TRUSTED: The programs of no-deploy do not run/
    expect((await status()).headline).toEqual([expect.stringMatching(untrusted), expect.any(String)])
    const where = { project: sandbox.project, home: join(sandbox.user, '.config/holdpoint') }
    const trusts = () => atTerminal(where, ['trust', '--yes'], { env: { HOME: sandbox.user } })
    expect((await trusts()).exitCode).toBe(0)
    expect((await status()).headline).toEqual([expect.stringMatching(/^Guarded: /)])
    sandbox.write('project/deploy.sh', '#!/bin/sh\nexit 0\n', 0o755)
    expect((await status()).headline).toEqual([expect.stringMatching(untrusted), expect.any(String)])
    expect(await sandbox.run(['doctor'])).toContain('The programs of no-deploy do not run')
  })

  it('does not count rules and contracts without commands as hooks that wait for trust', async () => {
    await init()
    sandbox.write(
      'project/.holdpoint/config.yaml',
      'version: 1\nrules: [{ id: r, match: Bash, deny: no }]\ncontracts: [{ id: c, files: [a.md] }]\n',
    )
    expect((await status()).headline).toEqual([expect.stringMatching(/^Guarded: /)])
    expect(await sandbox.run(['doctor'])).not.toContain('not trusted')
  })

  it('is the same text without colours in a pipe, with NO_COLOR and as JSON', async () => {
    await init()
    const piped = await sandbox.run(['status'])
    expect(piped).not.toContain('\u001b')
    expect(piped).toContain('guarded by ~/.claude/settings.json')
    expect(await status()).toMatchObject({
      ok: true,
      agents: expect.arrayContaining([
        expect.objectContaining({ host: 'claude-code', guarded: true }),
        expect.objectContaining({ host: 'codex', guarded: false }),
      ]),
    })
  })

  it('begins with a pause, and so do doctor, test, explain and log', async () => {
    await init()
    const until = await pause()
    expect((await status()).headline[0]).toBe(
      `PAUSED until ${until}: all packs are off. To end the pause, run \`holdpoint pause --end\`.`,
    )
    const call = ['--tool', 'Bash', '--args', '{"command":"git push --force"}']
    for (const args of [['status'], ['doctor'], ['test', ...call], ['explain', ...call], ['log']]) {
      expect(await sandbox.run(args), args[0]).toContain(`PAUSED until ${until}`)
    }
  })

  it('ignores a pause that no person signed', async () => {
    await init()
    const nowMs = Date.now()
    const text = { version: 1, sinceMs: nowMs - 1_000, untilMs: nowMs + 3_600_000, packs: 'all' }
    sandbox.write('.config/holdpoint/pause.json', JSON.stringify(text), 0o600)
    expect((await status()).pause).toBeUndefined()
    expect(await sandbox.run(['status'])).not.toContain('PAUSED')
  })

  it.each([
    ['gemini', '.gemini/settings.json', { hooksConfig: { enabled: false } }],
    ['qwen', '.qwen/settings.json', { disableAllHooks: true }],
  ])('says that %s is not guarded if its settings switch every hook off', async (host, file, off) => {
    await sandbox.run(['init', '--host', host, '--yes'])
    const guarded = async () =>
      (await status()).agents.find((agent: { host: string }) => agent.host === host).guarded
    expect(await guarded()).toBe(true)
    const settings = JSON.parse(readFileSync(join(sandbox.user, file), 'utf8'))
    sandbox.write(file, JSON.stringify({ ...settings, ...off }))
    expect(await guarded()).toBe(false)
    expect((await status()).headline.join(' ')).toMatch(/NOT GUARDED: .*switches every hook off/)
  })

  it('is not needed to see a pause in the journal: its records are marked', async () => {
    await init()
    await pause()
    const payload = {
      session_id: 's',
      cwd: sandbox.project,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'git push --force' },
    }
    await sandbox.run(['hook', 'claude-code'], { stdin: JSON.stringify(payload) })
    // The pause itself is also a record.
    const record = (await sandbox.run(['log', '--json']))
      .split('\n')
      .find((line) => line.includes('"PreToolUse"'))
    expect(JSON.parse(record ?? '{}')).toMatchObject({
      effect: 'pass',
      extra: { paused: expect.arrayContaining(['safety']) },
    })
  })

  it.each([
    [
      'a switch in the project',
      'project/.claude/settings.json',
      '{ "disableAllHooks": true }',
      /NOT GUARDED: claude-code: .*settings.json has `disableAllHooks`/,
    ],
    [
      'a switch for this checkout',
      'project/.claude/settings.local.json',
      '{ "disableAllHooks": true }',
      /NOT GUARDED: .*disableAllHooks/,
    ],
  ])('says first that hooks are off because of %s, as doctor does', async (_, file, text, says) => {
    await init()
    sandbox.write(file, text)
    expect((await status()).headline[0]).toMatch(says)
    const doctor = await sandbox.run(['doctor'])
    expect(doctor.split('\n')[0]).toMatch(says)
    expect(doctor).not.toContain('live 13 of 13')
  })

  it('does not report hooks as live in a settings file that Claude Code does not load', async () => {
    await init()
    const settings = JSON.parse(await sandbox.run(['status', '--json'])).agents[0].by[0]
    sandbox.write('.claude/settings.json', `// mine\n${readFileSync(settings, 'utf8')}`)
    expect((await status()).headline[0]).toMatch(
      /NOT GUARDED: claude-code: .*comment, which JSON does not allow/,
    )
    const doctor = await sandbox.run(['doctor'])
    expect(doctor).toMatch(/^NOT GUARDED/)
    expect(doctor).not.toContain('live 13 of 13')
  })

  it('does not report hooks of another project as live', async () => {
    await init('--scope', 'local')
    expect(await status()).toMatchObject({ ok: true })
    sandbox.write('other/.git/HEAD', '')
    const cwd = join(sandbox.user, 'other')
    const elsewhere = await sandbox.run(['status'], { cwd })
    expect(elsewhere).toContain('NOT guarded')
    expect(elsewhere).toContain('Hooks are in ~/project/.claude/settings.local.json, which is not read here')
    expect(await sandbox.run(['doctor'], { cwd })).not.toContain('live 13 of 13')
  })

  it('shows a pack that is switched off as OFF', async () => {
    await init()
    sandbox.write(
      '.config/holdpoint/config.yaml',
      'version: 1\npacks: { secrets: true, safety: false, self: true }\n',
    )
    const { headline, packs } = await status()
    expect(headline[0]).toBe('OFF: `safety`. To switch it on, run `holdpoint init --pack safety`.')
    expect(packs).toContainEqual(expect.objectContaining({ pack: 'safety', on: false }))
    expect(await sandbox.run(['status'])).toContain(
      'safety OFF: switched off in ~/.config/holdpoint/config.yaml',
    )
  })
})

describe('holdpoint doctor', () => {
  it('lists what an agent does not support only with --verbose', async () => {
    await init()
    expect(await sandbox.run(['doctor'])).not.toContain('hooks cannot block these events')
    expect(await sandbox.run(['doctor', '--verbose'])).toContain('hooks cannot block these events')
  })
})
