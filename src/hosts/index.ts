import type { Host } from '../core/host.ts'

/** Every host, loaded when it is spoken to. The table equals the folders: a gate checks it. */
export const HOSTS: Readonly<Record<string, () => Promise<{ readonly host: Host }>>> = {
  antigravity: () => import('./antigravity/host.ts'),
  'claude-code': () => import('./claude-code/host.ts'),
  cline: () => import('./cline/host.ts'),
  codebuddy: () => import('./codebuddy/host.ts'),
  codex: () => import('./codex/host.ts'),
  collective: () => import('./collective/host.ts'),
  copilot: () => import('./copilot/host.ts'),
  cursor: () => import('./cursor/host.ts'),
  droid: () => import('./droid/host.ts'),
  gemini: () => import('./gemini/host.ts'),
  goose: () => import('./goose/host.ts'),
  grok: () => import('./grok/host.ts'),
  kilo: () => import('./kilo/host.ts'),
  kimi: () => import('./kimi/host.ts'),
  massgen: () => import('./massgen/host.ts'),
  mux: () => import('./mux/host.ts'),
  'mux-legacy': () => import('./mux-legacy/host.ts'),
  openclaw: () => import('./openclaw/host.ts'),
  opencode: () => import('./opencode/host.ts'),
  pi: () => import('./pi/host.ts'),
  qwen: () => import('./qwen/host.ts'),
  scratchpad: () => import('./scratchpad/host.ts'),
  vscode: () => import('./vscode/host.ts'),
}
