import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AgentSetup, type SetupOptions, setUpAgent } from './agent-setup.ts'
import { AGENTS, type Agent, CLAUDE_CODE_WITHOUT_ARGS, type HostId } from './agents.ts'
import { isInFull } from './depth.ts'
import { play } from './play.ts'
import { NOT_SEEN, OVER_HTTP, PLUGIN_ALONE, PLUGIN_BESIDE, pageOf, sightingKey } from './report.ts'
import { ROOT } from './sandbox.ts'
import { oldVersions } from './scenarios/old-versions.ts'
import { overHttp } from './scenarios/over-http.ts'
import { pluginAlone, pluginBeside } from './scenarios/plugin.ts'
import { chapters } from './scenarios.ts'

const sightings = new Map<string, readonly string[]>()

/** Opened before and closed after the tests of the surrounding `describe`. */
function setupFor(agent: Agent, options?: SetupOptions): () => AgentSetup {
  let setup: AgentSetup | undefined
  beforeAll(async () => {
    setup = await setUpAgent(agent, options)
  })
  afterAll(() => setup?.close())
  return () => {
    if (setup === undefined) throw new Error('the setup is not open')
    return setup
  }
}

const chosen = (Object.keys(AGENTS) as HostId[]).filter(isInFull)

for (const host of chosen) {
  describe(host, () => {
    const setup = setupFor(AGENTS[host])
    for (const { title, scenarios } of chapters) {
      // What cannot be tried is on the page, but there is no suite for it.
      if (scenarios.every((each) => 'cannot' in each.expected[host])) continue
      describe(title, () => {
        for (const scenario of scenarios) {
          const expected = scenario.expected[host]
          if ('cannot' in expected) continue
          it(scenario.name, async () => {
            const seen = await play(setup(), scenario, expected)
            expect(seen.complaints).toEqual([])
            sightings.set(sightingKey(host, title, scenario.name), seen.words)
          })
        }
      })
    }
  })
}

if (chosen.includes('claude-code')) {
  describe(OVER_HTTP, () => {
    const setup = setupFor(AGENTS['claude-code'], { init: ['--http'] })
    for (const scenario of overHttp) {
      it(scenario.name, async () => {
        const seen = await play(setup(), scenario, scenario.expected)
        expect(seen.complaints).toEqual([])
        sightings.set(sightingKey(OVER_HTTP, '', scenario.name), seen.words)
      })
    }
  })

  for (const [heading, plugin, scenarios] of [
    [PLUGIN_ALONE, 'alone', pluginAlone],
    [PLUGIN_BESIDE, 'beside', pluginBeside],
  ] as const) {
    describe(heading, () => {
      const setup = setupFor(AGENTS['claude-code'], { plugin })
      for (const scenario of scenarios) {
        it(scenario.name, async () => {
          const seen = await play(setup(), scenario, scenario.expected)
          expect(seen.complaints).toEqual([])
          sightings.set(sightingKey(heading, '', scenario.name), seen.words)
        })
      }
    })
  }

  /** The same answers in another set-up, which do not need another table. */
  describe('Claude Code with the plugin and the hooks of `init --http`', () => {
    const setup = setupFor(AGENTS['claude-code'], { plugin: 'beside', init: ['--http'] })
    for (const scenario of pluginBeside.filter(({ overHttp }) => overHttp === true)) {
      it(scenario.name, async () => {
        const seen = await play(setup(), scenario, scenario.expected)
        expect(seen.complaints).toEqual([])
      })
    }
  })

  for (const scenario of oldVersions) {
    describe(CLAUDE_CODE_WITHOUT_ARGS.title, () => {
      const { installedFor, plugin } = scenario
      const setup = setupFor(CLAUDE_CODE_WITHOUT_ARGS, {
        installedFor,
        ...(plugin === undefined ? {} : { plugin }),
      })
      it(scenario.name, async () => {
        const seen = await play(setup(), scenario, scenario.expected)
        expect(seen.complaints).toEqual([])
        sightings.set(sightingKey(CLAUDE_CODE_WITHOUT_ARGS.title, '', scenario.name), seen.words)
      })
    })
  }
}

/** Must be last, because it compares the page with everything that the tests above have shown. */
describe('docs/hosts', () => {
  const path = join(ROOT, 'docs', 'hosts', 'README.md')
  const pageSeen = () => pageOf({ chapters, oldVersions, overHttp, pluginAlone, pluginBeside }, sightings)
  const committed = () => (existsSync(path) ? readFileSync(path, 'utf8') : '')

  if (chosen.length < Object.keys(AGENTS).length) {
    it('contains what the runs of this program showed', () => {
      const parts = pageSeen().split(NOT_SEEN)
      const escaped = parts.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'))
      expect(committed()).toMatch(new RegExp(`^${escaped.join('[^\\n]*')}$`))
    })
    return
  }
  it('contains exactly what the runs showed', () => {
    const page = pageSeen()
    expect(page, 'a scenario failed or was left out, so the page cannot be written').not.toContain(NOT_SEEN)
    if (process.env.HOLDPOINT_WRITE_DOCS === '1') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, page)
    }
    expect(page, 'run it again with HOLDPOINT_WRITE_DOCS=1 and read the difference').toBe(committed())
  })
})
