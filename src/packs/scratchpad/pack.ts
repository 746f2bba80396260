import type { Pack } from '../guard.ts'
import { padComplaints } from './options.ts'
import { sessionStart } from './session-start.ts'
import { stop } from './stop.ts'
import { subagentStart } from './subagent-start.ts'
import { subagentStop } from './subagent-stop.ts'

export const pack: Pack = {
  id: 'scratchpad',
  title:
    'Agents leave notes for each other: told at their start where and what, held at their end until they did.',
  complaints: padComplaints,
  guards: [sessionStart, subagentStart, subagentStop, stop],
}
