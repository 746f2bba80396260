import type { Pack } from '../../../core/guard.ts'
import { PAD_OPTIONS } from './options.ts'
import { ownEntry } from './own-entry.ts'
import { sessionStart } from './session-start.ts'
import { stop } from './stop.ts'
import { subagentStart } from './subagent-start.ts'
import { subagentStop } from './subagent-stop.ts'

export const pack: Pack = {
  id: 'scratchpad',
  title:
    'Agents write notes for each other: they learn at the start where and what to write, and may not end before they did.',
  options: PAD_OPTIONS,
  wrongOptions: 'use defaults',
  guards: [sessionStart, subagentStart, subagentStop, stop, ownEntry],
}
