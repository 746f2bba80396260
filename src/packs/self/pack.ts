import type { Pack } from '../guard.ts'
import { agentConfig } from './agent-config.ts'
import { configChange } from './config-change.ts'

export const pack: Pack = {
  id: 'self',
  title:
    'The guard stays in place: its hooks, its configuration and its files are changed by people, not by agents.',
  guards: [agentConfig, configChange],
}
