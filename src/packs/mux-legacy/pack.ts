import { POLLING } from '../../orchestrator/polling-options.ts'
import type { Pack } from '../guard.ts'
import { mapping, optionComplaints, YES_OR_NO } from '../option-complaints.ts'
import { orchestrator } from './orchestrator.ts'
import { polling } from './polling.ts'

export const pack: Pack = {
  id: 'mux-legacy',
  title: 'The older rules of an orchestrator that may only delegate; sub-agents are free.',
  programs: ['polling'],
  complaints: (options) => optionComplaints(options, { debug: YES_OR_NO, polling: mapping(POLLING, false) }),
  guards: [orchestrator, polling],
}
