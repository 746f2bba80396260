import type { Pack } from '../guard.ts'
import { muxComplaints } from './options.ts'
import { orchestrator } from './orchestrator.ts'
import { polling } from './polling.ts'
import { report } from './report.ts'
import { subagent } from './subagent.ts'

export const pack: Pack = {
  id: 'mux',
  title: 'An orchestrator that may only delegate, and sub-agents that report by signal.',
  // Some name programs, all can loosen: from a file nobody vouched for none of them counts.
  programs: [
    'commands',
    'toolRoots',
    'unknownTool',
    'allow',
    'skillAllow',
    'subagentSkillAllow',
    'taskBackground',
    'watchdog',
    'polling',
  ],
  complaints: muxComplaints,
  guards: [orchestrator, polling, subagent, report],
}
