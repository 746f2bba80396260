import type { NoTranscript, TranscriptReader } from '../core/transcript.ts'

/** The hosts that leave transcripts, loaded when some are read. */
export const TRANSCRIPTS: Readonly<Record<string, () => Promise<{ readonly transcript: TranscriptReader }>>> =
  {
    'claude-code': () => import('./claude-code/transcript.ts'),
    codex: () => import('./codex/transcript.ts'),
    copilot: () => import('./copilot/transcript.ts'),
    gemini: () => import('./gemini/transcript.ts'),
    grok: () => import('./grok/transcript.ts'),
    qwen: () => import('./qwen/transcript.ts'),
    droid: () => import('./droid/transcript.ts'),
    codebuddy: () => import('./codebuddy/transcript.ts'),
    kimi: () => import('./kimi/transcript.ts'),
    opencode: () => import('./opencode/transcript.ts'),
    kilo: () => import('./kilo/transcript.ts'),
    pi: () => import('./pi/transcript.ts'),
    openclaw: () => import('./openclaw/transcript.ts'),
    cline: () => import('./cline/transcript.ts'),
  }

/** The hosts that leave none, or none that can be read, each with its reason. */
export const NO_TRANSCRIPTS: Readonly<
  Record<string, () => Promise<{ readonly noTranscript: NoTranscript }>>
> = {
  goose: () => import('./goose/transcript.ts'),
  cursor: () => import('./cursor/transcript.ts'),
  antigravity: () => import('./antigravity/transcript.ts'),
  vscode: () => import('./vscode/transcript.ts'),
  massgen: () => import('./massgen/transcript.ts'),
  collective: () => import('./collective/transcript.ts'),
  mux: () => import('./mux/transcript.ts'),
  'mux-legacy': () => import('./mux-legacy/transcript.ts'),
  scratchpad: () => import('./scratchpad/transcript.ts'),
}
