import type { DialectProgram } from '../program.ts'
import { cline } from './cline.ts'
import { codebuddy } from './codebuddy.ts'
import { copilot } from './copilot.ts'
import { droid } from './droid.ts'
import { gemini } from './gemini.ts'
import { goose } from './goose.ts'
import { grok } from './grok.ts'
import { kimi } from './kimi.ts'
import { openclaw } from './openclaw.ts'
import { kilo, opencode } from './opencode.ts'
import { pi } from './pi.ts'
import { qwen } from './qwen.ts'

/** Every program of the family, by the id of its host. */
export const PROGRAMS: Readonly<Record<string, DialectProgram>> = {
  copilot,
  grok,
  qwen,
  gemini,
  droid,
  codebuddy,
  kimi,
  goose,
  opencode,
  kilo,
  pi,
  openclaw,
  cline,
}
