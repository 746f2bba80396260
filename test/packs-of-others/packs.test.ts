import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compile } from '../../src/config/compile.ts'
import { bash } from '../../src/library/testing/events.ts'
import {
  configured,
  decided,
  home,
  inFreshProject,
  LIST,
  packText,
  problems,
  project,
  trust,
  withPack,
  write,
} from './project.ts'

inFreshProject()

describe('a pack from a file of the project', () => {
  it('decides with its level, its texts and the modes of its guards', async () => {
    await withPack({})
    const { effect, reason } = await decided()
    expect([effect, reason]).toEqual(['ask', expect.stringContaining('starts a deployment')])
    expect((await decided(LIST())).effect).toBe('pass')
    await withPack({}, '{ from: ./policies/pack.ts, level: strict }')
    expect(await decided()).toMatchObject({
      effect: 'deny',
      because: ['acme/no-deploy'],
      notices: [expect.stringContaining('holdpoint allow ')],
    })
    await withPack({}, '{ from: ./policies/pack.ts, guards: { acme/no-deploy: off } }')
    expect((await decided()).effect).toBe('pass')
    expect(await problems()).toEqual([])
  })

  it('gets its options with their types and defaults, checked before', async () => {
    const parts = {
      pack: `options: { targets: { type: 'array', items: { type: 'string' }, default: ['prod'] } }`,
      check: `({ event, options }) => options.targets.includes(event.tool.input.to) ? { caught: 'deploys' } : null`,
    }
    await withPack(parts)
    expect((await decided()).effect).toBe('ask')
    await withPack(parts, '{ from: ./policies/pack.ts, targets: [test] }')
    expect((await decided()).effect).toBe('pass')
    await withPack(parts, '{ from: ./policies/pack.ts,\n    targest: [test] }')
    expect(await problems()).toMatchObject([
      {
        code: 'CONFIG_VALUE',
        line: 4,
        key: 'packs.acme.targest',
        message: expect.stringContaining('Did you mean `targets`?'),
      },
    ])
    expect((await decided()).effect).toBe('deny')
    expect((await decided(LIST())).effect).toBe('pass')
  })

  it('can ask `holdpoint/shell` what a command would do, with nothing installed', async () => {
    const check = `({ event, facts }) => {
      const found = analyze(event.tool.input.command, { cwd: facts.cwd, home: facts.home })
      const acts = found.readable ? found.commands.flatMap((each) => each.effects) : []
      return acts.some((each) => each.act === 'git/hard-reset') ? { caught: 'resets' } : null
    }`
    await withPack(
      { before: `import { analyze } from 'holdpoint/shell'`, check, guard: `match: 'Bash'` },
      '{ from: ./policies/pack.ts, level: strict }',
    )
    expect((await decided(bash('bash -c "git reset --hard"'))).because).toContain('acme/no-deploy')
    expect((await decided(bash('git status'))).effect).toBe('pass')
  })

  it('can read facts and the files of the machine', async () => {
    write('freeze', 'until monday')
    await withPack({
      check: `async ({ facts }) => ({ caught: 'deploys in a freeze ' + await facts.readText(facts.project + '/freeze') })`,
    })
    expect((await decided()).reason).toContain('freeze until monday')
  })
})

describe('a pack from a package', () => {
  const inPackage = (manifest: object, text: string) => {
    write(
      'node_modules/@acme/policies/package.json',
      JSON.stringify({
        name: '@acme/policies',
        version: '1.0.0',
        type: 'module',
        exports: './index.js',
        ...manifest,
      }),
    )
    write('node_modules/@acme/policies/data/words.txt', 'one')
    write('node_modules/@acme/policies/index.js', text)
    configured('{ from: "@acme/policies" }')
  }

  it('decides, and must be trusted again if any of its files changes, appears or goes', async () => {
    inPackage({}, packText({}))
    await trust()
    expect((await decided()).effect).toBe('ask')
    for (const [path, text] of [
      ['data/words.txt', 'two'],
      ['data/more.txt', 'x'],
      ['package.json', '{}'],
    ] as const) {
      write(`node_modules/@acme/policies/${path}`, text)
      expect(await problems(), path).toMatchObject([{ code: 'HOOK_UNTRUSTED', key: 'packs.acme', line: 3 }])
      const { effect, reason } = await decided(LIST())
      expect([path, effect, reason]).toEqual([path, 'deny', expect.stringContaining('not what was trusted')])
      inPackage({}, packText({}))
      rmSync(join(project(), 'node_modules/@acme/policies/data/more.txt'), { force: true })
      expect((await decided()).effect).toBe('ask')
    }
    rmSync(join(project(), 'node_modules'), { recursive: true })
    expect((await decided(LIST())).effect).toBe('deny')
  })

  it('that needs a newer Holdpoint is not loaded, and calls are denied', async () => {
    inPackage({ engines: { holdpoint: '>=99.0.0' } }, packText({}))
    await trust()
    expect(await problems()).toMatchObject([
      { code: 'PACK_INVALID', message: expect.stringContaining('needs Holdpoint >=99.0.0') },
    ])
    expect((await decided()).effect).toBe('deny')
  })
})

describe('a project that is not trusted', () => {
  const userPack = (options: string) => {
    const pack = packText({
      pack: `options: { targets: { type: 'array', items: { type: 'string' }, default: ['prod'] } }`,
      check: `({ event, options }) => options.targets.includes(event.tool.input.to) ? { caught: 'deploys' } : null`,
    })
    write('../holdpoint/pack.ts', pack)
    write('../holdpoint/config.yaml', 'version: 1\npacks: { acme: { from: ./pack.ts } }\n')
    configured(options)
  }

  it.each(['{ targets: [] }', '{ targets: 7 }', '{ guards: { acme/no-deploy: off } }', 'false'])(
    'cannot weaken a pack of the user: %s',
    async (options) => {
      userPack(options)
      expect((await decided()).effect).toBe('ask')
    },
  )

  it('can make it stricter', async () => {
    userPack('{ level: strict }')
    expect((await decided()).effect).toBe('deny')
  })
})

describe('a pack that nobody trusted', () => {
  it('is not loaded: a notice, and the call goes on', async () => {
    const marker = join(project(), '..', 'loaded')
    write(
      'policies/pack.ts',
      packText({
        before: `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(marker)}, '')`,
      }),
    )
    configured('{ from: ./policies/pack.ts }')
    const { effect, notices } = await decided()
    expect([effect, existsSync(marker)]).toEqual(['pass', false])
    expect(notices.join('\n')).toContain('holdpoint trust')
    expect(notices.join('\n')).not.toContain('policies/pack.ts')
    expect(await problems()).toMatchObject([{ code: 'HOOK_UNTRUSTED', severity: 'warning' }])
  })

  it('never runs if managed policy forbids code of projects', async () => {
    const marker = join(project(), '..', 'loaded')
    await withPack({
      before: `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(marker)}, '')`,
    })
    rmSync(marker, { force: true })
    mkdirSync(dirname(home().managedConfig), { recursive: true })
    const managed = { ...home(), managedConfig: join(project(), '..', 'managed.yaml') }
    writeFileSync(managed.managedConfig, 'version: 1\nsettings: { projectCode: forbidden }\n')
    const { plan } = await compile({ home: managed, project: project(), packs: [], lastGood: {} })
    expect(plan.problems).toMatchObject([{ message: expect.stringContaining('Managed policy forbids code') }])
    expect(existsSync(marker)).toBe(false)
  })
})
