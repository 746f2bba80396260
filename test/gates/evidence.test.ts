import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { HOSTS } from '../../src/hosts/index.ts'
import { INSTALLERS } from '../../src/hosts/installers.ts'
import { BEHAVIOURS } from '../hosts/dialects/behaviours.ts'
import { evidencePage, NEVER_RUN, readEvidence, writePage } from '../hosts/dialects/evidence.ts'
import { PROGRAMS } from '../hosts/dialects/programs/index.ts'
import { agentsTable, readTable, writeTable } from '../hosts/dialects/readme-table.ts'

describe('docs/hosts/agents.md', () => {
  it('says what the evidence says, and nothing else', () => {
    if (process.env.HOLDPOINT_WRITE_DOCS === '1') writePage(readEvidence())
    expect(readFileSync('docs/hosts/agents.md', 'utf8')).toBe(evidencePage(readEvidence()))
  })

  it('is what the table in README.md is made from', async () => {
    const table = await agentsTable()
    if (process.env.HOLDPOINT_WRITE_DOCS === '1') writeTable(table)
    expect(readTable()).toBe(table)
    for (const load of Object.values(INSTALLERS)) {
      const { installer } = await load()
      const { host } = (await HOSTS[installer.host]?.()) ?? {}
      expect(table).toContain(`| [${host?.title}]`)
    }
  })

  it('has a version and a day in each cell that is proved', () => {
    for (const seen of Object.values(readEvidence()).flatMap((host) => Object.values(host))) {
      expect(seen?.version).toMatch(/^\d+\.\d+\.\d+$/)
      expect(seen?.on).toMatch(/^\d{4}-\d\d-\d\d$/)
    }
  })

  it('says "not proved" for what was never seen', () => {
    const page = evidencePage({})
    const hosts = Object.keys(PROGRAMS).length + Object.keys(NEVER_RUN).length
    expect(page.match(/\| not proved/g)).toHaveLength(hosts * Object.keys(BEHAVIOURS).length)
  })

  it('lists exactly the agents that are marked as not proved in the code', async () => {
    const members = await Promise.all(Object.values(INSTALLERS).map((load) => load()))
    const marked = members.flatMap(({ installer }) => (installer.notProved === true ? [installer.host] : []))
    expect(marked).toEqual(Object.keys(NEVER_RUN))
  })
})
