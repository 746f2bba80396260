import type { Host } from './host.ts'

/** Every host, loaded when it is spoken to. The table equals the folders: a gate checks it. */
export const HOSTS: Readonly<Record<string, () => Promise<{ readonly host: Host }>>> = {
  'claude-code': () => import('./claude-code/host.ts'),
  codex: () => import('./codex/host.ts'),
  collective: () => import('./collective/host.ts'),
  massgen: () => import('./massgen/host.ts'),
  mux: () => import('./mux/host.ts'),
  'mux-legacy': () => import('./mux-legacy/host.ts'),
  scratchpad: () => import('./scratchpad/host.ts'),
}
