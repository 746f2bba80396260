import { notRecorded, RAN, ran } from '../checks.ts'
import { install, uninstall } from '../install.ts'
import type { Chapter } from '../scenario.ts'
import { differences, type Snapshot, snapshot } from '../snapshot.ts'
import type { World } from '../world.ts'
import { DENY, LEAVE_A_MARK } from './tools.ts'

/** In and out again. */

const once = { main: [{ do: [{ shell: LEAVE_A_MARK }] }] }

export const installation: Chapter = {
  title: 'Installation',
  scenarios: [
    {
      name: 'installed a second time, then taken out',
      policy: { hooks: [DENY] },
      arrange: inAndOut,
      script: once,
      expected: {
        'claude-code': [ran(RAN, 'its files are as before, byte for byte; nothing is held'), notRecorded({})],
        codex: [ran(RAN, 'its files are as before, byte for byte; nothing is held'), notRecorded({})],
      },
    },
    {
      name: 'hooks that no person has reviewed in the program',
      policy: { hooks: [DENY] },
      options: { unseen: true },
      script: once,
      expected: {
        'claude-code': { cannot: 'asks for no review of the hooks of a user' },
        codex: [
          ran(RAN, '**runs**: hooks are skipped in silence until they are trusted in `/hooks`'),
          notRecorded({}),
        ],
      },
    },
  ],
}

function inAndOut(world: World): void {
  const homeNow = () => snapshot(world.places.home, world.agent.scratch)
  const installed = homeNow()
  install(world, world.agent)
  same(homeNow(), installed, 'a second `init` changes files')
  uninstall(world)
  same(homeNow(), world.homeBefore, '`uninstall` leaves files changed')
}

function same(now: Snapshot, before: Snapshot, what: string): void {
  const changed = differences(now, before)
  if (changed.length > 0) throw new Error(`${what}: ${changed.join(', ')}`)
}
