import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compile } from './compile.ts'
import { homeLayout } from './world/home.ts'
import { contentHash, writeTrust } from './world/trust.ts'

let folder: string
const project = () => join(folder, 'project')
const home = () => homeLayout(join(folder, 'holdpoint'), { HOME: join(folder, 'user') })

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdpoint-compile-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text: string): string {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

function compiled(lastGood = {}) {
  return compile({ home: home(), project: project(), packs: [], lastGood })
}

const HOOK = 'version: 1\nhooks: { PreToolUse: [ { run: ./check.sh } ] }\n'

describe('relative paths', () => {
  it.each([
    ["of a person's own file start beside it", 'holdpoint/config.yaml', 'holdpoint'],
    ['of a project start at its root', 'project/.holdpoint/config.yaml', 'project'],
  ])('%s', async (_name, file, root) => {
    write(file, HOOK)
    const { plan } = await compiled()
    expect(plan.hooks.find(({ run }) => run.type === 'command')?.run.root).toBe(join(folder, root))
  })
})

describe('imports', () => {
  const importing = 'version: 1\nimports: [ { source: holdpoint-yaml, file: ./more.yaml } ]\n'
  const commands = async () => (await compiled()).plan.hooks.filter(({ run }) => run.type === 'command')

  it('bring in the hooks of a file, with its own place, and watch it', async () => {
    write('holdpoint/config.yaml', importing)
    const more = write('holdpoint/more.yaml', HOOK)
    const { plan, inputs } = await compiled()
    const hook = plan.hooks.find(({ run }) => run.type === 'command')
    expect(hook).toMatchObject({ rank: 'user', trusted: true, origin: { file: more, line: 2 } })
    expect(inputs).toContain(more)
  })

  it('of a file nobody vouched for bring in nothing', async () => {
    write('project/more.yaml', HOOK)
    const config = write('project/.holdpoint/config.yaml', importing)
    expect(await commands()).toEqual([])
    writeTrust(home().trust, new Map([[config, contentHash(importing)]]))
    expect(await commands()).toMatchObject([{ rank: 'project', trusted: false }])
  })

  it.each([
    ['a format nobody knows', '[ nonsense ]', 'There is no format `nonsense`'],
    ['a format that has no usual place', '[ holdpoint-yaml ]', 'name the file'],
  ])('of %s are told', async (_name, list, message) => {
    write('holdpoint/config.yaml', `version: 1\nimports: ${list}\n`)
    const { broken, complete } = await compiled()
    expect(broken).toMatchObject([
      { code: 'CONFIG_VALUE', message: expect.stringContaining(message), line: 2 },
    ])
    // The rest of the file is in force.
    expect(complete).toBe(true)
  })

  it('that are broken keep what they last said', async () => {
    write('holdpoint/config.yaml', importing)
    write('holdpoint/more.yaml', HOOK)
    const { lastGood } = await compiled()
    write('holdpoint/more.yaml', 'version: [')
    const { plan, broken, complete } = await compiled(lastGood)
    expect(broken).toHaveLength(1)
    expect(complete).toBe(true)
    expect(plan.hooks.some(({ run }) => run.type === 'command')).toBe(true)
    expect((await compiled()).complete).toBe(false)
  })
})
