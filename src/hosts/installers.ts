import type { Installer } from './installer.ts'

/** Every installer, loaded when it is needed: a host without one is answered, but not installed into. */
export const INSTALLERS: Readonly<Record<string, () => Promise<{ readonly installer: Installer }>>> = {
  'claude-code': () => import('./claude-code/install.ts'),
  codex: () => import('./codex/install.ts'),
}
