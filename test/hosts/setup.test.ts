import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { HOSTS } from '../../src/hosts/index.ts'
import { INSTALLERS } from '../../src/hosts/installers.ts'
import { AGENTS } from './agents.ts'
import { anthropic } from './models/anthropic.ts'
import { startModel } from './models/model.ts'
import { context } from './scenarios/context.ts'
import { subagents } from './scenarios/subagents.ts'

/** What the scenarios stand on. */

describe('the programs', () => {
  it('are all that Holdpoint can be installed for', () => {
    expect(Object.keys(AGENTS).sort()).toEqual(Object.keys(INSTALLERS).sort())
  })
})

describe('the scenarios', () => {
  it.each(Object.keys(AGENTS))('send context at every event where %s takes it', async (id) => {
    const { host } = (await HOSTS[id]?.()) ?? {}
    const taking = Object.entries(host?.events ?? {}).flatMap(([kind, can]) => (can.context ? [kind] : []))
    const hooks = [...context.scenarios, ...subagents.scenarios].flatMap(({ policy }) => policy.hooks ?? [])
    const sent = new Set(hooks.filter((hook) => hook.id === 'test/context').map((hook) => hook.on))
    expect(taking.filter((kind) => !sent.has(kind))).toEqual([])
    expect(taking.length).toBeGreaterThan(0)
  })
})

describe('the scripted model', () => {
  it('notices whoever speaks to another machine', async () => {
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
    expect(model.strangers).toEqual(['CONNECT elsewhere.example:443', 'GET http://elsewhere.example/news'])
  })
})
