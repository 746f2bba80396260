import { expect, test } from 'vitest'
import { HOSTS } from './index.ts'
import { INSTALLERS } from './installers.ts'

const members = await Promise.all(Object.values(INSTALLERS).map((load) => load()))

test.each(members.filter(({ installer }) => installer.probe !== undefined).map(({ installer }) => installer))(
  'what $host is tried with is an event of each kind that is registered',
  async ({ host: id, events, probe }) => {
    const { host } = (await HOSTS[id]?.()) ?? {}
    for (const event of events) {
      const payload = JSON.stringify(probe?.(event, 'holdpoint-probe'))
      expect(host?.decode({ payload, cwd: '/', event })).toMatchObject({ ok: true, value: { kind: event } })
    }
  },
)
