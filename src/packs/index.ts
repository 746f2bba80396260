import type { Pack } from './guard.ts'

/** Every pack by name; loaded when a configuration asks for it. */
export const PACKS: Readonly<Record<string, () => Promise<Pack>>> = {
  safety: async () => (await import('./safety/pack.ts')).pack,
  secrets: async () => (await import('./secrets/pack.ts')).pack,
  self: async () => (await import('./self/pack.ts')).pack,
}
