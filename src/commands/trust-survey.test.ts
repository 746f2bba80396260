import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compile } from '../compile.ts'
import { homeLayout } from '../world/home.ts'
import { writeTrust } from '../world/trust.ts'
import { examine } from './doctor.ts'
import { reportLines } from './trust-report.ts'
import { survey } from './trust-survey.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-survey-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** A machine whose managed policy is a file of the test. */
function where() {
  const home = { ...homeLayout(join(folder, 'home'), {}), managedConfig: join(folder, 'managed.yaml') }
  return { home, project: join(folder, 'project') }
}

const HOOKS = `version: 1
hooks:
  PreToolUse:
    - { id: program, run: ./audit.sh }
    - { id: module, run: ./policy.mjs }
    - { id: address, run: { url: "https://policy.example/hook" } }
`
const NOTHING = { pin: () => undefined, content: () => undefined }

async function hooksInForce(): Promise<readonly string[]> {
  const { plan } = await compile({ ...where(), packs: [], lastGood: {} })
  return plan.hooks.filter((hook) => hook.run.type !== 'guard').map((hook) => hook.id)
}

describe('managed policy that forbids code of projects', () => {
  beforeEach(async () => {
    write('project/audit.sh', 'exit 2')
    write('project/policy.mjs', 'export default () => ({ deny: "no" })')
    write('project/.holdpoint/config.yaml', HOOKS)
    const { files } = await survey(where())
    writeTrust(where().home.trust, new Map([...files].map(([path, { pin }]) => [path, pin])))
    expect(await hooksInForce()).toEqual(['program', 'module', 'address'])
  })

  it('keeps trusted code out of the plan, and trust says so', async () => {
    write('managed.yaml', 'version: 1\nsettings: { projectCode: forbidden }\n')
    expect(await hooksInForce()).toEqual([])
    const found = await survey(where())
    expect(found.codeForbidden).toBe(true)
    const lines = reportLines(found, NOTHING).join('\n')
    expect(lines).toContain('Managed policy forbids code of projects')
    expect(lines.match(/never runs: managed policy/g)).toHaveLength(3)
    const { plan } = await compile({ ...where(), packs: [], lastGood: {} })
    expect(plan.problems.map(({ message }) => message)).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining('Managed policy forbids')),
    )
  })

  it('is told by doctor too', async () => {
    write('managed.yaml', 'version: 1\nsettings: { projectCode: forbidden }\n')
    const { wrong } = await examine(where().home, where().project, [])
    expect(wrong.filter((line) => line.includes('Managed policy forbids code of projects'))).toHaveLength(3)
  })

  it("leaves a person's own hooks alone", async () => {
    write('managed.yaml', 'version: 1\nsettings: { projectCode: forbidden }\n')
    write('home/config.yaml', 'version: 1\nhooks: { PreToolUse: [ { id: mine, run: "true" } ] }\n')
    expect(await hooksInForce()).toEqual(['mine'])
  })

  it('cannot be undone by the project', async () => {
    write('managed.yaml', 'version: 1\nsettings: { projectCode: forbidden }\n')
    write('project/.holdpoint/config.yaml', `${HOOKS}settings: { projectCode: allowed }\n`)
    const { files } = await survey(where())
    writeTrust(where().home.trust, new Map([...files].map(([path, { pin }]) => [path, pin])))
    expect(await hooksInForce()).toEqual([])
  })
})

describe('what there is to trust', () => {
  it('is what is not the person’s own: not their file, but what it imports from the project', async () => {
    write(
      'home/config.yaml',
      'version: 1\nimports: [ claude-settings ]\nhooks: { Stop: [ { run: ./mine.sh } ] }\n',
    )
    const hooks = { Stop: [{ hooks: [{ type: 'command', command: './stop.sh' }] }] }
    const settings = write('project/.claude/settings.json', JSON.stringify({ hooks }))
    const found = await survey(where())
    expect(found.configs.map(({ path }) => path)).toEqual([settings])
    expect([...found.files.keys()]).toEqual([settings, join(folder, 'project', 'stop.sh')])
  })

  it('is refused as a whole where the configuration itself is broken', async () => {
    write('project/.holdpoint/config.yaml', 'version: 1\nhooks: [\n')
    await expect(survey(where())).rejects.toMatchObject({ problem: { code: 'CONFIG_NOT_YAML' } })
  })

  it('says of a hook that nobody can read what it would start', async () => {
    write('project/.holdpoint/config.yaml', 'version: 1\nhooks: { Stop: [ { run: ./m.mjs } ] }\n')
    write('project/m.mjs', 'await import(process.argv[2])')
    const found = await survey(where())
    expect(reportLines(found, NOTHING).join('\n')).toContain('cannot be read, so it will not run')
  })
})

describe('what reaches from elsewhere into a project', () => {
  it("is a program of the project that the person's own hook starts: it alone is to be vouched for", async () => {
    write('home/config.yaml', 'version: 1\nimports: [ { source: claude-settings, file: mine.json } ]\n')
    const command = '"$CLAUDE_PROJECT_DIR"/stop.sh --all'
    write('home/mine.json', JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }))
    const program = write('project/stop.sh', 'exit 2')
    const found = await survey(where())
    expect([...found.files.keys()]).toEqual([program])
    expect(reportLines(found, NOTHING).join('\n')).toContain(`file: ${program} (new)`)
    const isTrusted = async () => {
      const { plan } = await compile({ ...where(), packs: [], lastGood: {} })
      return plan.hooks.find(({ run }) => run.type === 'command')?.trusted
    }
    expect(await isTrusted()).toBe(false)
    writeTrust(where().home.trust, new Map([...found.files].map(([path, { pin }]) => [path, pin])))
    expect(await isTrusted()).toBe(true)
  })

  it('is no import of a file that counts by itself', async () => {
    const user = write(
      'home/config.yaml',
      'version: 1\nhooks: { PreToolUse: [ { id: mine, run: "true" } ] }\n',
    )
    const imports = `version: 1\nimports: [ { source: massgen-yaml, file: ${user} } ]\n`
    const config = write('project/.holdpoint/config.yaml', imports)
    const found = await survey(where())
    expect([...found.files.keys()]).toEqual([config])
    expect(found.broken).toEqual([expect.stringContaining('counts by itself')])
  })

  it('is no pipe and no file without end: they are told, and never waited for', async () => {
    const pipe = join(folder, 'project/pipe.sh')
    write(
      'project/.holdpoint/config.yaml',
      `version: 1
hooks: { Stop: [ { run: ./pipe.sh --now }, { run: ./zero.sh --now } ] }
`,
    )
    execFileSync('mkfifo', [pipe])
    symlinkSync('/dev/zero', join(folder, 'project/zero.sh'))
    const report = reportLines(await survey(where()), NOTHING).join('\n')
    expect(report.match(/cannot be trusted/g)).toHaveLength(2)
  })
})
