import type { Pack } from '../guard.ts'
import { agentConfig } from './agent-config.ts'
import { agentSwitches } from './agent-switches.ts'
import { configChange } from './config-change.ts'
import { daemon } from './daemon.ts'
import { ownCommands } from './own-commands.ts'
import { ownFiles } from './own-files.ts'

export const pack: Pack = {
  id: 'self',
  title:
    'The guard stays in place: its hooks, its configuration and its files are changed by people, not by agents.',
  guards: [agentConfig, ownFiles, ownCommands, agentSwitches, daemon, configChange],
}
