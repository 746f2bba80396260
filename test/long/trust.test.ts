import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { call, createWorld, type Ran, type World } from '../e2e/command.ts'

let world: World
beforeEach(() => {
  world = createWorld()
})
afterEach(() => world.remove())

const DENY = '#!/bin/sh\necho "the audit says no" >&2\nexit 2\n'
const bash = (command: string) => call('Bash', { command }, { cwd: world.project })
const trust = (...args: string[]) => world.run(['trust', '--yes', ...args])
const answerOf = (ran: Ran) => JSON.parse(ran.stdout === '' ? '{}' : ran.stdout)

/** Whether the project's own program was asked: it denies everything. */
async function isRun(cwd = world.project): Promise<boolean> {
  const ran = await world.hook({ ...bash('ls'), cwd }, [], { cwd })
  const answer = answerOf(ran)
  if (answer.hookSpecificOutput?.permissionDecision === 'deny') return true
  expect(answer.systemMessage).toContain('holdpoint trust')
  return false
}

const AUDIT = 'version: 1\nhooks: { PreToolUse: [ { id: audit, match: Bash, run: ./audit.sh } ] }\n'

describe('holdpoint trust', () => {
  beforeEach(() => {
    world.write('audit.sh', DENY, 0o755)
    world.config(AUDIT)
  })

  it('shows what would run and what it may do, and asks a person', async () => {
    world.write('policy/a.ts', "import { word } from './b.ts'\nexport default () => ({ deny: word })\n")
    world.write('policy/b.ts', "export const word = 'no'\n")
    world.config(`version: 1
packs: { safety: true }
hooks:
  PreToolUse:
    - { match: "Write|Edit", run: { command: ./audit.sh, args: [--fast, "a b"] }, grants: true }
    - { run: ./policy/a.ts, rewrites: true }
    - run:
        url: https://policy.example/hook?team=a
        headers: { Authorization: "Bearer $TOKEN" }
        allowedEnvVars: [TOKEN]
`)
    const asked = await world.run(['trust'])
    expect(asked.exitCode).toBe(2)
    expect(asked.stderr).toContain('Nobody is here to ask')
    const lines = asked.stdout.split('\n').map((line) => line.trim())
    expect(lines).toEqual(
      expect.arrayContaining([
        'at PreToolUse (Write|Edit) runs: ./audit.sh "--fast" "a b"',
        expect.stringMatching(/^file: .*\/audit\.sh \(new\)$/),
        expect.stringMatching(/^may: stop calls; .*GRANT PERMISSIONS/),
        'at PreToolUse runs: ./policy/a.ts',
        expect.stringMatching(/^file: .*\/policy\/a\.ts \(new\)$/),
        expect.stringMatching(/^file: .*\/policy\/b\.ts \(new\)$/),
        expect.stringContaining('change calls before others judge them'),
        'at PreToolUse asks: https://policy.example/hook?team=a',
        'headers: Authorization',
        'of your environment: TOKEN',
        'packs: safety',
        expect.stringContaining('unless your own file names them: secrets'),
      ]),
    )
    expect(await isRun()).toBe(false)
  })

  it('shows what changed since, in the configuration and in what it names', async () => {
    await trust()
    expect(await isRun()).toBe(true)
    world.write('audit.sh', DENY.replace('says no', 'says NO'), 0o755)
    world.config(AUDIT.replace('match: Bash', 'match: "*"'))
    expect(await isRun()).toBe(false)
    const again = await trust()
    expect(again.stdout).toContain('- hooks: { PreToolUse: [ { id: audit, match: Bash, run: ./audit.sh } ] }')
    expect(again.stdout).toContain('+ hooks: { PreToolUse: [ { id: audit, match: "*", run: ./audit.sh } ] }')
    expect(again.stdout).toContain('- echo "the audit says no" >&2')
    expect(again.stdout).toContain('+ echo "the audit says NO" >&2')
    expect(await isRun()).toBe(true)
    expect((await world.run(['trust'])).stdout).toContain('Nothing has changed since you trusted it.')
  })

  it('keeps what it was shown, for nobody else to read, and no more than it needs', async () => {
    await trust()
    const kept = join(world.home, 'trusted')
    expect(statSync(kept).mode & 0o777).toBe(0o700)
    expect(readdirSync(kept)).toHaveLength(2)
    for (const name of readdirSync(kept)) expect(statSync(join(kept, name)).mode & 0o777).toBe(0o600)
    world.write('audit.sh', `${DENY}#`, 0o755)
    await trust()
    expect(readdirSync(kept)).toHaveLength(2)
    world.write('audit.sh', DENY, 0o755)
    for (const name of readdirSync(kept)) writeFileSync(join(kept, name), 'not what was trusted')
    const changed = await trust()
    expect(changed.stdout).toContain('was not kept')
    expect(changed.stdout).not.toContain('not what was trusted')
  })

  it('lets no file write to the terminal of who reads it', async () => {
    await trust()
    world.write('audit.sh', `${DENY}# \u001b[2Jgone \u202eback\r\n`, 0o755)
    const { stdout } = await trust()
    expect(stdout).toContain('\\u001b[2Jgone \\u202eback\\u000d')
    expect(stdout).not.toContain('\u001b[2J')
  })

  it('shows the end of a command that is padded to hide it', async () => {
    world.config(AUDIT.replace('run: ./audit.sh', `run: "true${' '.repeat(3_000)}; ./audit.sh"`))
    expect((await trust()).stdout).toContain('; ./audit.sh')
    expect(await isRun()).toBe(true)
    world.write('audit.sh', `${DENY}#`, 0o755)
    expect(await isRun()).toBe(false)
  })

  it('cuts a long difference', async () => {
    await trust()
    world.write('audit.sh', `${DENY}${'# more\n'.repeat(5_000)}`, 0o755)
    const { stdout } = await trust()
    expect(stdout).toMatch(/\d+ more lines differ/)
    expect(stdout.split('\n').length).toBeLessThan(120)
  })

  it('a program that is not there is pinned as missing, and asks again when it appears', async () => {
    rmSync(join(world.project, 'audit.sh'))
    expect((await trust()).stdout).toContain('not there; asks again when it is')
    world.write('audit.sh', DENY, 0o755)
    expect(await isRun()).toBe(false)
    expect((await trust()).stdout).toContain('it was not there when it was trusted')
    expect(await isRun()).toBe(true)
  })

  it('follows a link to its content, and asks again when it leads elsewhere', async () => {
    world.write('tools/one.sh', DENY, 0o755)
    world.write('tools/two.sh', `${DENY}# two\n`, 0o755)
    const link = join(world.project, 'audit.sh')
    rmSync(link)
    symlinkSync('tools/one.sh', link)
    expect((await trust()).stdout).toContain('audit.sh -> tools/one.sh')
    expect(await isRun()).toBe(true)
    unlinkSync(link)
    symlinkSync('tools/two.sh', link)
    expect(await isRun()).toBe(false)
    expect((await trust()).stdout).toContain('+ # two')
    expect(await isRun()).toBe(true)
    world.write('tools/two.sh', `${DENY}# three\n`, 0o755)
    chmodSync(join(world.project, 'tools/two.sh'), 0o755)
    expect(await isRun()).toBe(false)
  })

  it('does not follow a project to another folder', async () => {
    await trust()
    const moved = join(world.folder, 'moved')
    renameSync(world.project, moved)
    expect(await isRun(moved)).toBe(false)
  })

  it('lists what is trusted, and whether it is as it was', async () => {
    expect((await world.run(['trust', '--list'])).stdout).toBe('Nothing is trusted.\n')
    world.write('other.sh', DENY, 0o755)
    world.config(`${AUDIT.trimEnd().slice(0, -4)}, { run: ./other.sh } ] }\n`)
    await trust()
    world.write('audit.sh', `${DENY}#`, 0o755)
    rmSync(join(world.project, 'other.sh'))
    const { stdout } = await world.run(['trust', '--list'])
    const states = stdout.split('\n').map((line) => line.replace(/(\S+)\s+\/.*\//, '$1 '))
    expect(states).toEqual(['trusted config.yaml', 'CHANGED audit.sh', 'gone other.sh', ''])
  })

  it('takes it back', async () => {
    await trust()
    expect(await isRun()).toBe(true)
    const { stdout } = await world.run(['trust', '--revoke'])
    expect(stdout).toContain('No longer trusted')
    expect(await isRun()).toBe(false)
    expect((await world.run(['trust', '--revoke'])).stdout).toContain('is trusted')
    expect((await world.run(['trust', '--list'])).stdout).toBe('Nothing is trusted.\n')
    expect(readdirSync(join(world.home, 'trusted'))).toEqual([])
  })

  it('takes it back also while the file is broken, which until then keeps what it last said', async () => {
    await trust()
    expect(await isRun()).toBe(true)
    world.config(`${AUDIT}hooks: [\n`)
    expect(await isRun()).toBe(true)
    await world.run(['trust', '--revoke'])
    expect(await isRun()).toBe(false)
  })

  it('waits for no pipe, and vouches for none', async () => {
    world.config(AUDIT.replace('./audit.sh', '"./audit.sh --all"'))
    const program = join(world.project, 'audit.sh')
    rmSync(program)
    execFileSync('mkfifo', [program])
    expect((await trust()).stdout).toContain('cannot be trusted')
    rmSync(program)
    world.write('audit.sh', DENY, 0o755)
    expect(await isRun()).toBe(false)
  })

  it('says of a line that changes where programs are found that it will not run', async () => {
    world.config(AUDIT.replace('./audit.sh', '"PATH=.:$PATH audit.sh"'))
    expect((await trust()).stdout).toContain('write it more simply')
    expect(await isRun()).toBe(false)
  })
})

describe('what a configuration imports', () => {
  const settings = (command: string) =>
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] } })
  const IMPORTS = 'version: 1\nimports: [ { source: claude-settings, file: team/settings.json } ]\n'

  beforeEach(() => {
    world.write('audit.sh', DENY, 0o755)
    world.write('team/settings.json', settings('./audit.sh'))
    world.config(IMPORTS)
  })

  it('is shown and pinned with it, and asks again when it changes', async () => {
    const trusted = await trust()
    expect(trusted.stdout).toContain('team/settings.json (imported) (new)')
    expect(trusted.stdout).toContain('at PreToolUse (Bash) runs: ./audit.sh')
    expect(trusted.stdout).toMatch(/file: .*audit\.sh \(new\)/)
    expect(await isRun()).toBe(true)
    world.write('team/settings.json', settings('sh ./audit.sh'))
    expect(answerOf(await world.hook(bash('ls'))).hookSpecificOutput?.permissionDecision).toBeUndefined()
    const changed = await trust()
    expect(changed.stdout).toContain('team/settings.json (imported) (CHANGED)')
    expect(changed.stdout).toMatch(/\+ .*sh \.\/audit\.sh/)
    expect(answerOf(await world.hook(bash('ls'))).hookSpecificOutput?.permissionDecision).toBe('deny')
  })

  it('is told when it is broken, and the rest can be trusted', async () => {
    world.write('team/settings.json', '{')
    const trusted = await trust()
    expect(trusted.stdout).toContain('broken')
    expect(trusted.exitCode).toBe(0)
  })
})
