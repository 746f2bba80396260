import type { Pack } from '../../../core/guard.ts'
import { POLLING } from '../../mux/polling-options.ts'
import { legacyOrchestrator } from './orchestrator.ts'
import { legacyPolling } from './polling.ts'

export const pack: Pack = {
  id: 'mux-legacy',
  title: 'The older rules for an orchestrator that may only delegate. Sub-agents are not restricted.',
  programs: ['polling'],
  options: {
    debug: { type: 'boolean', description: 'Also write a line about every call to standard error.' },
    polling: POLLING,
  },
  wrongOptions: 'use defaults',
  guards: [legacyOrchestrator, legacyPolling],
}
