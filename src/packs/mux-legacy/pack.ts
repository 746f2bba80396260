import type { Pack } from '../guard.ts'
import { orchestrator } from './orchestrator.ts'
import { polling } from './polling.ts'

export const pack: Pack = {
  id: 'mux-legacy',
  title: 'The older rules of an orchestrator that may only delegate; sub-agents are free.',
  programs: ['polling'],
  guards: [orchestrator, polling],
}
