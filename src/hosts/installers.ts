import type { Installer } from './installer.ts'

/** Every installer, loaded when it is needed: a host without one is answered, but not installed into. */
export const INSTALLERS: Readonly<Record<string, () => Promise<{ readonly installer: Installer }>>> = {
  'claude-code': () => import('./claude-code/install.ts'),
  codex: () => import('./codex/install.ts'),
  copilot: () => import('./copilot/install.ts'),
  grok: () => import('./grok/install.ts'),
  qwen: () => import('./qwen/install.ts'),
  gemini: () => import('./gemini/install.ts'),
  droid: () => import('./droid/install.ts'),
  codebuddy: () => import('./codebuddy/install.ts'),
  kimi: () => import('./kimi/install.ts'),
  goose: () => import('./goose/install.ts'),
  cursor: () => import('./cursor/install.ts'),
  antigravity: () => import('./antigravity/install.ts'),
  vscode: () => import('./vscode/install.ts'),
  opencode: () => import('./opencode/install.ts'),
  kilo: () => import('./kilo/install.ts'),
  pi: () => import('./pi/install.ts'),
  openclaw: () => import('./openclaw/install.ts'),
  cline: () => import('./cline/install.ts'),
}
