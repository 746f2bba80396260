import type { Pack } from '../../core/guard.ts'

/** Every pack by name. A pack is loaded when a configuration uses it. */
export const PACKS: Readonly<Record<string, () => Promise<Pack>>> = {
  collective: async () => (await import('./collective/pack.ts')).pack,
  mux: async () => (await import('./mux/pack.ts')).pack,
  'mux-legacy': async () => (await import('./mux-legacy/pack.ts')).pack,
  production: async () => (await import('./production/pack.ts')).pack,
  safety: async () => (await import('./safety/pack.ts')).pack,
  secrets: async () => (await import('./secrets/pack.ts')).pack,
  self: async () => (await import('./self/pack.ts')).pack,
  scratchpad: async () => (await import('./scratchpad/pack.ts')).pack,
}
