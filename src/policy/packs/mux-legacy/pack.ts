import type { Pack } from '../../../core/guard.ts'
import { POLLING } from '../../mux/polling-options.ts'
import { acceptMapping, optionComplaints, YES_OR_NO } from '../option-complaints.ts'
import { legacyOrchestrator } from './orchestrator.ts'
import { legacyPolling } from './polling.ts'

export const pack: Pack = {
  id: 'mux-legacy',
  title: 'The older rules for an orchestrator that may only delegate. Sub-agents are not restricted.',
  programs: ['polling'],
  complaints: (options) =>
    optionComplaints(options, { debug: YES_OR_NO, polling: acceptMapping(POLLING, false) }),
  guards: [legacyOrchestrator, legacyPolling],
}
