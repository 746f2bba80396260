import type { KeyObject } from 'node:crypto'
import { keyObject } from '../../../../src/config/bundle/keys.ts'
import type { Sink } from '../sink/sink.ts'

/** The public keys of machines, kept for a short time: a revoked key is also refused when its push is stored. */
export interface MachineKeys {
  keyOf(machine: string): Promise<KeyObject | 'revoked' | undefined>
  forget(machine: string): void
}

const KEPT_MS = 60_000
/** Unknown machines are not kept: anybody could fill the memory with them. */
const KEYS_MAX = 200_000

export function createMachineKeys(sink: Pick<Sink, 'machineKey'>, now: () => number): MachineKeys {
  const known = new Map<string, { readonly key: KeyObject | 'revoked'; readonly untilMs: number }>()
  return {
    async keyOf(machine) {
      const kept = known.get(machine)
      if (kept !== undefined && kept.untilMs > now()) return kept.key
      const found = await sink.machineKey(machine)
      if (found === undefined) return undefined
      const key = found.revoked ? 'revoked' : keyObject(found.publicKey)
      if (known.size >= KEYS_MAX) known.clear()
      known.set(machine, { key, untilMs: now() + KEPT_MS })
      return key
    },
    forget: (machine) => void known.delete(machine),
  }
}
