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
import { call, createSandbox, type Ran, type Sandbox } from '../e2e/command.ts'

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
})
afterEach(() => sandbox.remove())

const DENY = '#!/bin/sh\necho "the audit says no" >&2\nexit 2\n'
const bash = (command: string) => call('Bash', { command }, { cwd: sandbox.project })
const trust = (...args: string[]) => sandbox.person(['trust', '--yes', ...args])
const answerOf = (ran: Ran) => JSON.parse(ran.stdout === '' ? '{}' : ran.stdout)

/** Whether the project's program was run: it denies everything. */
let calls = 0

/** Every call has its own id, because the same call again would get the recorded denial without running anything. */
async function isRun(cwd = sandbox.project): Promise<boolean> {
  calls += 1
  const ran = await sandbox.hook({ ...bash('ls'), tool_use_id: `call-${calls}`, cwd }, [], { cwd })
  const answer = answerOf(ran)
  if (answer.hookSpecificOutput?.permissionDecision === 'deny') return true
  expect(answer.systemMessage).toContain('holdpoint trust')
  return false
}

const AUDIT = 'version: 1\nhooks: { PreToolUse: [ { id: audit, match: Bash, run: ./audit.sh } ] }\n'

describe('holdpoint trust', () => {
  beforeEach(() => {
    sandbox.write('audit.sh', DENY, 0o755)
    sandbox.config(AUDIT)
  })

  it('shows what would run and what it may do, and asks the user', async () => {
    sandbox.write('policy/a.ts', "import { word } from './b.ts'\nexport default () => ({ deny: word })\n")
    sandbox.write('policy/b.ts', "export const word = 'no'\n")
    sandbox.config(`version: 1
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
    const asked = await sandbox.run(['trust'])
    expect(asked.exitCode).toBe(64)
    expect(asked.stderr).toContain('is only for people')
    const lines = asked.stdout.split('\n').map((line) => line.trim())
    expect(lines).toEqual(
      expect.arrayContaining([
        'at PreToolUse (Write|Edit) runs: ./audit.sh "--fast" "a b"',
        expect.stringMatching(/^file: .*\/audit\.sh \(new\)$/),
        expect.stringMatching(/^may: stop calls; .*GRANT PERMISSIONS/),
        'at PreToolUse runs: ./policy/a.ts',
        expect.stringMatching(/^file: .*\/policy\/a\.ts \(new\)$/),
        expect.stringMatching(/^file: .*\/policy\/b\.ts \(new\)$/),
        expect.stringContaining('change calls before other hooks see them'),
        'at PreToolUse calls: https://policy.example/hook?team=a',
        'headers: Authorization',
        'from your environment: TOKEN',
        'packs: safety',
      ]),
    )
    expect(await isRun()).toBe(false)
  })

  it('shows what has changed in the configuration and in the files that it names', async () => {
    await trust()
    expect(await isRun()).toBe(true)
    sandbox.write('audit.sh', DENY.replace('says no', 'says NO'), 0o755)
    sandbox.config(AUDIT.replace('match: Bash', 'match: "*"'))
    expect(await isRun()).toBe(false)
    const again = await trust()
    expect(again.stdout).toContain('- hooks: { PreToolUse: [ { id: audit, match: Bash, run: ./audit.sh } ] }')
    expect(again.stdout).toContain('+ hooks: { PreToolUse: [ { id: audit, match: "*", run: ./audit.sh } ] }')
    expect(again.stdout).toContain('- echo "the audit says no" >&2')
    expect(again.stdout).toContain('+ echo "the audit says NO" >&2')
    expect(await isRun()).toBe(true)
    expect((await sandbox.run(['trust'])).stdout).toContain('Nothing has changed since you trusted it.')
  })

  it('stores only what it showed, readable only by the user', async () => {
    await trust()
    const kept = join(sandbox.home, 'trusted')
    expect(statSync(kept).mode & 0o777).toBe(0o700)
    expect(readdirSync(kept)).toHaveLength(2)
    for (const name of readdirSync(kept)) expect(statSync(join(kept, name)).mode & 0o777).toBe(0o600)
    sandbox.write('audit.sh', `${DENY}#`, 0o755)
    await trust()
    expect(readdirSync(kept)).toHaveLength(2)
    sandbox.write('audit.sh', DENY, 0o755)
    for (const name of readdirSync(kept)) writeFileSync(join(kept, name), 'not what was trusted')
    const changed = await trust()
    expect(changed.stdout).toContain('was not kept')
    expect(changed.stdout).not.toContain('not what was trusted')
  })

  it('shows control characters of a file as text', async () => {
    await trust()
    sandbox.write('audit.sh', `${DENY}# \u001b[2Jgone \u202eback\r\n`, 0o755)
    const { stdout } = await trust()
    expect(stdout).toContain('\\u001b[2Jgone \\u202eback\\u000d')
    expect(stdout).not.toContain('\u001b[2J')
  })

  it('shows the end of a command that is padded to hide it', async () => {
    sandbox.config(AUDIT.replace('run: ./audit.sh', `run: "true${' '.repeat(3_000)}; ./audit.sh"`))
    expect((await trust()).stdout).toContain('; ./audit.sh')
    expect(await isRun()).toBe(true)
    sandbox.write('audit.sh', `${DENY}#`, 0o755)
    expect(await isRun()).toBe(false)
  })

  it('cuts a long difference', async () => {
    await trust()
    sandbox.write('audit.sh', `${DENY}${'# more\n'.repeat(5_000)}`, 0o755)
    const { stdout } = await trust()
    expect(stdout).toMatch(/\d+ more lines differ/)
    expect(stdout.split('\n').length).toBeLessThan(120)
  })

  it('pins a missing program as missing, and asks again when it appears', async () => {
    rmSync(join(sandbox.project, 'audit.sh'))
    expect((await trust()).stdout).toContain('does not exist; you are asked again when it does')
    sandbox.write('audit.sh', DENY, 0o755)
    expect(await isRun()).toBe(false)
    expect((await trust()).stdout).toContain('the file did not exist when it was trusted')
    expect(await isRun()).toBe(true)
  })

  it('follows a link to its content, and asks again when the link changes', async () => {
    sandbox.write('tools/one.sh', DENY, 0o755)
    sandbox.write('tools/two.sh', `${DENY}# two\n`, 0o755)
    const link = join(sandbox.project, 'audit.sh')
    rmSync(link)
    symlinkSync('tools/one.sh', link)
    expect((await trust()).stdout).toContain('audit.sh -> tools/one.sh')
    expect(await isRun()).toBe(true)
    unlinkSync(link)
    symlinkSync('tools/two.sh', link)
    expect(await isRun()).toBe(false)
    expect((await trust()).stdout).toContain('+ # two')
    expect(await isRun()).toBe(true)
    sandbox.write('tools/two.sh', `${DENY}# three\n`, 0o755)
    chmodSync(join(sandbox.project, 'tools/two.sh'), 0o755)
    expect(await isRun()).toBe(false)
  })

  it('does not apply to a project that was moved to another folder', async () => {
    await trust()
    const moved = join(sandbox.folder, 'moved')
    renameSync(sandbox.project, moved)
    expect(await isRun(moved)).toBe(false)
  })

  it('lists what is trusted, and whether it has changed', async () => {
    expect((await sandbox.run(['trust', '--list'])).stdout).toBe('Nothing is trusted.\n')
    sandbox.write('other.sh', DENY, 0o755)
    sandbox.config(`${AUDIT.trimEnd().slice(0, -4)}, { run: ./other.sh } ] }\n`)
    await trust()
    sandbox.write('audit.sh', `${DENY}#`, 0o755)
    rmSync(join(sandbox.project, 'other.sh'))
    const { stdout } = await sandbox.run(['trust', '--list'])
    const states = stdout.split('\n').map((line) => line.replace(/(\S+)\s+\/.*\//, '$1 '))
    expect(states).toEqual(['trusted config.yaml', 'CHANGED audit.sh', 'gone other.sh', ''])
    const { files } = JSON.parse((await sandbox.run(['trust', '--list', '--json'])).stdout)
    expect(files.map(({ state }: { state: string }) => state)).toEqual(['trusted', 'changed', 'gone'])
  })

  it('can be revoked', async () => {
    await trust()
    expect(await isRun()).toBe(true)
    const { stdout } = await sandbox.run(['trust', '--revoke'])
    expect(stdout).toContain('No longer trusted')
    expect(await isRun()).toBe(false)
    expect((await sandbox.run(['trust', '--revoke'])).stdout).toContain('is trusted')
    expect((await sandbox.run(['trust', '--list'])).stdout).toBe('Nothing is trusted.\n')
    expect(readdirSync(join(sandbox.home, 'trusted'))).toEqual([])
  })

  it('can be revoked while the file is invalid and its last valid content applies', async () => {
    await trust()
    expect(await isRun()).toBe(true)
    sandbox.config(`${AUDIT}hooks: [\n`)
    expect(await isRun()).toBe(true)
    await sandbox.run(['trust', '--revoke'])
    expect(await isRun()).toBe(false)
  })

  it('does not wait for a pipe, and refuses to trust it', async () => {
    sandbox.config(AUDIT.replace('./audit.sh', '"./audit.sh --all"'))
    const program = join(sandbox.project, 'audit.sh')
    rmSync(program)
    execFileSync('mkfifo', [program])
    expect((await trust()).stdout).toContain('cannot be trusted')
    rmSync(program)
    sandbox.write('audit.sh', DENY, 0o755)
    expect(await isRun()).toBe(false)
  })

  it('says that a line that changes PATH will not run', async () => {
    sandbox.config(AUDIT.replace('./audit.sh', '"PATH=.:$PATH audit.sh"'))
    expect((await trust()).stdout).toContain('write it in a simpler way')
    expect(await isRun()).toBe(false)
  })
})

describe('a file that a configuration imports', () => {
  const settings = (command: string) =>
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] } })
  const IMPORTS = 'version: 1\nimports: [ { source: claude-settings, file: team/settings.json } ]\n'

  beforeEach(() => {
    sandbox.write('audit.sh', DENY, 0o755)
    sandbox.write('team/settings.json', settings('./audit.sh'))
    sandbox.config(IMPORTS)
  })

  it('is shown and pinned with it, and must be trusted again when it changes', async () => {
    const trusted = await trust()
    expect(trusted.stdout).toContain('team/settings.json (imported) (new)')
    expect(trusted.stdout).toContain('at PreToolUse (Bash) runs: ./audit.sh')
    expect(trusted.stdout).toMatch(/file: .*audit\.sh \(new\)/)
    expect(await isRun()).toBe(true)
    sandbox.write('team/settings.json', settings('sh ./audit.sh'))
    expect(answerOf(await sandbox.hook(bash('ls'))).hookSpecificOutput?.permissionDecision).toBeUndefined()
    const changed = await trust()
    expect(changed.stdout).toContain('team/settings.json (imported) (CHANGED)')
    expect(changed.stdout).toMatch(/\+ .*sh \.\/audit\.sh/)
    expect(answerOf(await sandbox.hook(bash('ls'))).hookSpecificOutput?.permissionDecision).toBe('deny')
  })

  it('is reported if it is invalid, and the rest can be trusted', async () => {
    sandbox.write('team/settings.json', '{')
    const trusted = await trust()
    expect(trusted.stdout).toContain('broken')
    expect(trusted.exitCode).toBe(0)
  })
})
