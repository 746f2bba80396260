import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pc from 'picocolors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compile } from '../config/compile.ts'
import { homeLayout } from '../system/home.ts'
import { signerFor } from '../system/signer.testing.ts'
import { addTrust } from '../system/trust-file.ts'
import { processCaller } from './caller.ts'
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

describe('managed policy that forbids project code', () => {
  beforeEach(async () => {
    write('project/audit.sh', 'exit 2')
    write('project/policy.mjs', 'export default () => ({ deny: "no" })')
    write('project/.holdpoint/config.yaml', HOOKS)
    const { files } = await survey(where())
    addTrust(where().home, new Map([...files].map(([path, { pin }]) => [path, pin])), signerFor(where().home))
    expect(await hooksInForce()).toEqual(['program', 'module', 'address'])
  })

  it('keeps trusted code out of the plan, and the trust report says so', async () => {
    write('managed.yaml', 'version: 1\nsettings: { projectCode: forbidden }\n')
    expect(await hooksInForce()).toEqual([])
    const found = await survey(where())
    expect(found.codeForbidden).toBe(true)
    const lines = reportLines(pc, found, NOTHING).join('\n')
    expect(lines).toContain('Managed policy forbids')
    expect(lines.match(/never runs: managed policy/g)).toHaveLength(3)
    const { plan } = await compile({ ...where(), packs: [], lastGood: {} })
    expect(plan.problems.map(({ message }) => message)).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining('Managed policy forbids')),
    )
  })

  it('is reported by doctor too', async () => {
    write('managed.yaml', 'version: 1\nsettings: { projectCode: forbidden }\n')
    const { wrong } = await examine(processCaller(), where().home, where().project, [])
    expect(wrong.filter((line) => line.includes('Managed policy forbids'))).toHaveLength(3)
  })

  it("does not affect the user's own hooks", async () => {
    write('managed.yaml', 'version: 1\nsettings: { projectCode: forbidden }\n')
    write('home/config.yaml', 'version: 1\nhooks: { PreToolUse: [ { id: mine, run: "true" } ] }\n')
    expect(await hooksInForce()).toEqual(['mine'])
  })

  it('cannot be overridden by the project', async () => {
    write('managed.yaml', 'version: 1\nsettings: { projectCode: forbidden }\n')
    write('project/.holdpoint/config.yaml', `${HOOKS}settings: { projectCode: allowed }\n`)
    const { files } = await survey(where())
    addTrust(where().home, new Map([...files].map(([path, { pin }]) => [path, pin])), signerFor(where().home))
    expect(await hooksInForce()).toEqual([])
  })
})

describe('surveyTrust', () => {
  it("does not include the user's own file, but includes what it imports from the project", async () => {
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

  it('reports a broken configuration as a whole', async () => {
    write('project/.holdpoint/config.yaml', 'version: 1\nhooks: [\n')
    await expect(survey(where())).rejects.toMatchObject({ problem: { code: 'CONFIG_NOT_YAML' } })
  })

  it('says if it cannot tell what a hook would start', async () => {
    write('project/.holdpoint/config.yaml', 'version: 1\nhooks: { Stop: [ { run: ./m.mjs } ] }\n')
    write('project/m.mjs', 'await import(process.argv[2])')
    const found = await survey(where())
    expect(reportLines(pc, found, NOTHING).join('\n')).toContain('cannot tell what it starts')
  })
})

describe('surveyTrust with files from outside the project', () => {
  it("includes only the project's program that the user's own hook starts", async () => {
    write('home/config.yaml', 'version: 1\nimports: [ { source: claude-settings, file: mine.json } ]\n')
    const command = '"$CLAUDE_PROJECT_DIR"/stop.sh --all'
    write('home/mine.json', JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command }] }] } }))
    const program = write('project/stop.sh', 'exit 2')
    const found = await survey(where())
    expect([...found.files.keys()]).toEqual([program])
    expect(reportLines(pc, found, NOTHING).join('\n')).toContain(`file: ${program} (new)`)
    const isTrusted = async () => {
      const { plan } = await compile({ ...where(), packs: [], lastGood: {} })
      return plan.hooks.find(({ run }) => run.type === 'command')?.trusted
    }
    expect(await isTrusted()).toBe(false)
    addTrust(
      where().home,
      new Map([...found.files].map(([path, { pin }]) => [path, pin])),
      signerFor(where().home),
    )
    expect(await isTrusted()).toBe(true)
  })

  it('does not import a file that is already a configuration by itself', async () => {
    const user = write(
      'home/config.yaml',
      'version: 1\nhooks: { PreToolUse: [ { id: mine, run: "true" } ] }\n',
    )
    const imports = `version: 1\nimports: [ { source: massgen-yaml, file: ${user} } ]\n`
    const config = write('project/.holdpoint/config.yaml', imports)
    const found = await survey(where())
    expect([...found.files.keys()]).toEqual([config])
    expect(found.broken).toEqual([expect.stringContaining('is read without an import')])
  })

  it('reports pipes and endless files without waiting for them', async () => {
    const pipe = join(folder, 'project/pipe.sh')
    write(
      'project/.holdpoint/config.yaml',
      `version: 1
hooks: { Stop: [ { run: ./pipe.sh --now }, { run: ./zero.sh --now } ] }
`,
    )
    execFileSync('mkfifo', [pipe])
    symlinkSync('/dev/zero', join(folder, 'project/zero.sh'))
    const report = reportLines(pc, await survey(where()), NOTHING).join('\n')
    expect(report.match(/cannot be trusted/g)).toHaveLength(2)
  })
})
