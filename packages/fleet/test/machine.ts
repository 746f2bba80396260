import { randomUUID } from 'node:crypto'
import { createFleetHttp, type FleetHttp } from '../../../src/daemon/fleet/http.ts'
import { type FleetMachine, newMachine } from '../../../src/daemon/fleet/machine.ts'
import { type PushContext, type PushCursor, pushJournal } from '../../../src/daemon/fleet/push-journal.ts'
import { chainHash } from '../../../src/storage/journal/chain.ts'
import { createMemoryStore } from '../../../src/storage/journal/memory/store.ts'
import { recordOf } from '../../../src/storage/journal/store.contract.ts'
import type { JournalRecord, Store } from '../../../src/storage/journal/store.ts'

/** A machine for tests: the real code that pushes, with a journal and a cursor in memory. */
export interface TestMachine {
  readonly machine: FleetMachine
  journal: Store
  cursor: PushCursor | undefined
  /** The clock of the machine, in milliseconds after the real one. */
  clockOffMs: number
  add(...records: readonly Partial<JournalRecord>[]): void
  /** One request. */
  push(): ReturnType<typeof pushJournal>
  /** Until everything is stored; throws on a problem. */
  pushAll(): Promise<void>
  /** What a copy of its disk would be. */
  clone(): TestMachine
}

export interface TestMachineOptions {
  readonly url: () => string
  /** Stands for the address in the cursor, if there are several collectors behind one name. */
  readonly name?: string
  readonly token?: string
  readonly http?: FleetHttp
  readonly machine?: FleetMachine
  readonly status?: () => PushContext['status'] extends () => infer S ? S : never
}

export function createTestMachine(options: TestMachineOptions): TestMachine {
  const { url, token = 'enroll', http = createFleetHttp(), machine = newMachine() } = options
  const self: TestMachine = {
    machine,
    journal: createMemoryStore(),
    cursor: undefined,
    clockOffMs: 0,
    add(...records) {
      const at = new Date(Date.now() + self.clockOffMs).toISOString()
      self.journal.append(records.map((record) => recordOf({ id: randomUUID(), at, ...record })))
    },
    push() {
      const address = url()
      return pushJournal({
        url: address,
        token,
        machine,
        labels: { team: 'payments' },
        journal: self.journal,
        cursor: {
          read: () =>
            options.name === undefined || self.cursor?.registeredAt === undefined
              ? self.cursor
              : { ...self.cursor, registeredAt: address },
          write: (cursor) => (self.cursor = cursor),
        },
        http,
        status: options.status ?? (() => ({ hostname: 'laptop', user: 'dev', version: '0.2.0' })),
        now: () => new Date(Date.now() + self.clockOffMs),
      })
    },
    async pushAll() {
      for (let tries = 0; tries < 1_000; tries += 1) {
        const pushed = await self.push()
        if (!pushed.ok) throw new Error(pushed.problem.message)
        if (pushed.value.kind === 'later') throw new Error('the collector asked for a pause')
        if (!pushed.value.more) return
      }
      throw new Error('it never ends')
    },
    clone() {
      const copy = createTestMachine({ ...options, machine, http })
      copy.journal = copyOf(self.journal)
      copy.cursor = self.cursor
      return copy
    },
  }
  return self
}

/** The same chain; what is added later differs, because each record has its own salt. */
function copyOf(journal: Store): Store {
  const added = createMemoryStore()
  const { rows } = journal.chain(0, Number.MAX_SAFE_INTEGER)
  const last = rows.at(-1)
  return {
    ...added,
    chain(after, limit) {
      if (last === undefined) return added.chain(after, limit)
      const more = shifted()
      const whole = [...rows, ...more]
      const before = whole.filter(({ seq }) => seq <= after).at(-1)
      const { previous } = journal.chain(0, 0)
      const { seq, hash } = before ?? previous
      return { previous: { seq, hash }, rows: whole.filter((row) => row.seq > after).slice(0, limit) }
    },
  }

  /** The records that were added to the copy, chained to the last one of the original. */
  function shifted() {
    let previous = last?.hash ?? ''
    return added.chain(0, Number.MAX_SAFE_INTEGER).rows.map((row, at) => {
      previous = chainHash(previous, row.digest)
      return { ...row, seq: (last?.seq ?? 0) + at + 1, hash: previous }
    })
  }
}
