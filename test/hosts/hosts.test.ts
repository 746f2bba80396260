import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AGENTS, type Agent, CLAUDE_CODE_WITHOUT_ARGS, type HostId } from './agents.ts'
import { play } from './play.ts'
import { NOT_SEEN, OVER_HTTP, pageOf, sightingKey } from './report.ts'
import { oldVersions } from './scenarios/old-versions.ts'
import { overHttp } from './scenarios/over-http.ts'
import { chapters } from './scenarios.ts'
import { openStation, type Station, type StationOptions } from './station.ts'
import { ROOT } from './world.ts'

const sightings = new Map<string, readonly string[]>()

/** Opened before and closed after the tests of the surrounding `describe`. */
function stationFor(agent: Agent, options?: StationOptions): () => Station {
  let station: Station | undefined
  beforeAll(async () => {
    station = await openStation(agent, options)
  })
  afterAll(() => station?.close())
  return () => {
    if (station === undefined) throw new Error('the station is not open')
    return station
  }
}

for (const host of Object.keys(AGENTS) as HostId[]) {
  describe(host, () => {
    const station = stationFor(AGENTS[host])
    for (const { title, scenarios } of chapters) {
      // What nobody can try is said in the page, and is no suite.
      if (scenarios.every((each) => 'cannot' in each.expected[host])) continue
      describe(title, () => {
        for (const scenario of scenarios) {
          const expected = scenario.expected[host]
          if ('cannot' in expected) continue
          it(scenario.name, async () => {
            const seen = await play(station(), scenario, expected)
            expect(seen.complaints).toEqual([])
            sightings.set(sightingKey(host, title, scenario.name), seen.words)
          })
        }
      })
    }
  })
}

describe(OVER_HTTP, () => {
  const station = stationFor(AGENTS['claude-code'], { init: ['--http'] })
  for (const scenario of overHttp) {
    it(scenario.name, async () => {
      const seen = await play(station(), scenario, scenario.expected)
      expect(seen.complaints).toEqual([])
      sightings.set(sightingKey(OVER_HTTP, '', scenario.name), seen.words)
    })
  }
})

for (const scenario of oldVersions) {
  describe(CLAUDE_CODE_WITHOUT_ARGS.title, () => {
    const station = stationFor(CLAUDE_CODE_WITHOUT_ARGS, { installedFor: scenario.installedFor })
    it(scenario.name, async () => {
      const seen = await play(station(), scenario, scenario.expected)
      expect(seen.complaints).toEqual([])
      sightings.set(sightingKey(CLAUDE_CODE_WITHOUT_ARGS.title, '', scenario.name), seen.words)
    })
  })
}

/** Comes last: it compares what all of the above have shown. */
describe('docs/hosts', () => {
  it('says what was seen', () => {
    const path = join(ROOT, 'docs', 'hosts', 'README.md')
    const page = pageOf({ chapters, oldVersions, overHttp }, sightings)
    expect(page, 'a scenario failed or was left out, so the page cannot be written').not.toContain(NOT_SEEN)
    if (process.env.HOLDPOINT_WRITE_DOCS === '1') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, page)
    }
    const committed = existsSync(path) ? readFileSync(path, 'utf8') : ''
    expect(page, 'run it again with HOLDPOINT_WRITE_DOCS=1 and read the difference').toBe(committed)
  })
})
