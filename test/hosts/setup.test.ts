import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { HOSTS } from '../../src/hosts/index.ts'
import { INSTALLERS } from '../../src/hosts/installers.ts'
import { AGENTS } from './agents.ts'
import { PROGRAMS } from './dialects/programs/index.ts'
import { anthropic } from './models/anthropic.ts'
import { startModel } from './models/model.ts'
import { ROOT } from './sandbox.ts'
import { context } from './scenarios/context.ts'
import { subagents } from './scenarios/subagents.ts'

/** What the scenarios depend on. */

describe('the tested programs', () => {
  it('are all agents that `init` supports, except those that are not proved', async () => {
    const played = [...Object.keys(AGENTS), ...Object.keys(PROGRAMS)]
    const installers = await Promise.all(
      Object.entries(INSTALLERS).map(async ([id, load]) => ({ id, ...(await load()).installer })),
    )
    const proved = installers.filter(({ notProved }) => notProved !== true).map(({ id }) => id)
    expect(played.sort()).toEqual(proved.sort())
  })
})

describe('the plugin', () => {
  it.each(['.', 'plugin'])('%s is valid for Claude Code itself', (folder) => {
    const [file = '', ...before] = AGENTS['claude-code'].program
    const home = mkdtempSync(join(tmpdir(), 'holdpoint-validate-'))
    const env = { PATH: process.env.PATH, HOME: home, CLAUDE_CONFIG_DIR: home, DISABLE_AUTOUPDATER: '1' }
    const { status, stdout } = spawnSync(
      file,
      [...before, 'plugin', 'validate', '--strict', join(ROOT, folder)],
      {
        env,
        encoding: 'utf8',
      },
    )
    rmSync(home, { recursive: true })
    expect(stdout).toContain('Validation passed')
    expect(status).toBe(0)
  })
})

describe('the scenarios of real programs', () => {
  it.each(Object.keys(AGENTS))('send context at every event at which %s accepts it', async (id) => {
    const { host } = (await HOSTS[id]?.()) ?? {}
    const taking = Object.entries(host?.events ?? {}).flatMap(([kind, can]) => (can.context ? [kind] : []))
    const hooks = [...context.scenarios, ...subagents.scenarios].flatMap(({ policy }) => policy.hooks ?? [])
    const sent = new Set(hooks.filter((hook) => hook.id === 'test/context').map((hook) => hook.on))
    expect(taking.filter((kind) => !sent.has(kind))).toEqual([])
    expect(taking.length).toBeGreaterThan(0)
  })
})

describe('the scripted model', () => {
  it('notices every request to another machine', async () => {
    const model = await startModel(anthropic)
    const { port } = new URL(model.url)
    const ask = (method: string, path: string) =>
      new Promise((resolve) => {
        const sent = request({ host: '127.0.0.1', port, method, path }, resolve)
        sent.on('connect', resolve)
        sent.end()
      })
    await ask('CONNECT', 'elsewhere.example:443')
    await ask('GET', 'http://elsewhere.example/news')
    await ask('POST', '/v1/messages/count_tokens')
    await model.close()
    expect(model.unexpected).toEqual(['CONNECT elsewhere.example:443', 'GET http://elsewhere.example/news'])
  })
})
