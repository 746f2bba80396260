import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import type { MachineOverview } from '../../core/fleet-package.ts'
import type { FleetReader } from './pages.ts'
import { type FleetBoard, openFleetBoard } from './server.ts'

const HOSTILE = '<script>alert(1)</script>"\u202e'
const machine: MachineOverview = {
  machine: '6b1f1c1e-0000-4000-8000-000000000001',
  hostname: HOSTILE,
  user: 'ann',
  team: 'payments',
  platform: 'linux-x64',
  version: '0.2.0',
  agents: [
    { host: 'claude-code', guarded: true },
    { host: 'codex', guarded: false },
  ],
  lastSeen: '2030-01-02T03:04:05.000Z',
  bundle: { name: 'acme', revision: 7, channel: 'canary', enforced: false },
  findings: 2,
  revoked: false,
  state: 'tampered',
}
const asked: unknown[] = []
let isAway = false
const fleet: FleetReader = {
  async machines(filter) {
    if (isAway) throw new Error('the database at secret-host is away')
    asked.push(filter)
    return [machine]
  },
  machineStates: async () => ({
    ...{ tampered: 1, unguarded: 0, silent: 3, 'policy problem': 0, outdated: 2 },
    well: 94,
  }),
  async stops(query) {
    asked.push(query)
    return [
      { name: HOSTILE, denied: 3, asked: 1 },
      { name: '', denied: 1, asked: 0 },
    ]
  },
  async session(id) {
    if (id !== 's1') return []
    const record = { event: 'PreToolUse', tool: 'Bash', input: HOSTILE, effect: 'deny', reason: 'No.' }
    return [
      {
        machine: machine.machine,
        hostname: 'a',
        user: 'b',
        at: '2030-01-01T00:00:00Z',
        intact: false,
        record,
      },
    ]
  },
  rollout: async () =>
    Array.from({ length: 100 }, (_, n) => ({
      ...{ name: 'acme', revision: 7, minute: `2030-01-01T00:${String(n % 60).padStart(2, '0')}:00Z` },
      ...{ machines: 1, machinesSoFar: n + 1 },
    })),
  findings: async () => [
    {
      machine: machine.machine,
      hostname: 'a',
      user: 'b',
      kind: 'fork',
      seq: 4,
      detail: HOSTILE,
      foundAt: '2030-01-01T00:00:00Z',
    },
  ],
}

let board: FleetBoard
const logged: string[] = []
beforeAll(async () => {
  const now = () => new Date('2030-01-31T00:00:00Z')
  board = await openFleetBoard({ fleet, port: 0, secret: 'topsecret', now, log: (line) => logged.push(line) })
})
afterAll(() => board.close())

async function shown(page: string): Promise<string> {
  const response = await fetch(new URL(page, board.url))
  expect(response.status).toBe(200)
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  return response.text()
}

describe('the board of a fleet', () => {
  it('shows machines with their state, agents, policy and last sign', async () => {
    const text = await shown('machines?team=payments')
    for (const part of [
      'Tampered, 2 findings',
      'codex (unguarded)',
      'acme 7, canary, advisory',
      '2030-01-02 03:04',
    ]) {
      expect(text).toContain(part)
    }
    expect(text).toContain('<b>94</b>Well')
    expect(asked.at(-1)).toEqual({ limit: 200, team: 'payments' })
  })

  it('shows stops by guard, team, project and day', async () => {
    const text = await shown('stops?days=7')
    for (const title of ['By guard', 'By team', 'By project', 'By day', '(none)'])
      expect(text).toContain(title)
    expect(asked.at(-1)).toMatchObject({ by: 'day', since: '2030-01-24' })
  })

  it('shows how a revision spread, with its last minute', async () => {
    const text = await shown('rollout')
    expect(text).toContain('acme 7: 100 of 100 machines')
    expect(text.match(/<tr>/g)?.length).toBeLessThan(40)
  })

  it('finds one session on all machines, and marks records that were changed', async () => {
    expect(await shown('session')).toContain('Enter the id')
    expect(await shown('session?id=unknown')).toContain('No machine has sent')
    expect(await shown('session?id=s1')).toContain('changed')
  })

  test.each(['machines', 'stops', 'session?id=s1', 'findings'])(
    'shows the text of a hostile machine as text: %s',
    async (page) => {
      const text = await shown(page)
      expect(text).toContain('&#60;script&#62;')
      expect(text).not.toMatch(/<script|\u202e/)
    },
  )

  test.each(['stops?days=x', 'stops?days=-1', 'stops?days=1e99', `session?id=${'x'.repeat(5000)}%00`])(
    'survives %s',
    async (page) => void (await shown(page)),
  )

  test.each(['../machines', '/wrong/machines', '../topsecret/machines/x', 'constructor', 'unknown'])(
    'has no page for %s',
    async (page) => expect((await fetch(new URL(page, board.url))).status).toBe(404),
  )

  it('does not answer to another name or method', async () => {
    const status = (method: string, host: string) =>
      new Promise((resolve) => {
        request(board.url, { method, headers: { host } }, (response) => {
          response.resume()
          resolve(response.statusCode)
        }).end()
      })
    expect(await status('GET', 'evil.example')).toBe(404)
    expect(await status('POST', '127.0.0.1')).toBe(404)
    expect(await status('GET', '127.0.0.1:80')).toBe(200)
  })

  it('says that the database is away, and keeps its words for the terminal', async () => {
    isAway = true
    const response = await fetch(board.url)
    isAway = false
    expect(response.status).toBe(503)
    expect(await response.text()).not.toContain('secret-host')
    expect(logged.at(-1)).toContain('secret-host')
  })
})
