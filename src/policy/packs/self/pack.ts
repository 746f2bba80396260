import type { Pack } from '../../../core/guard.ts'
import { agentConfig } from './agent-config.ts'
import { agentFolder } from './agent-folder.ts'
import { agentSwitches } from './agent-switches.ts'
import { configChange } from './config-change.ts'
import { stopDaemonGuard } from './daemon.ts'
import { installedHooks } from './installed-hooks.ts'
import { instructionHooks } from './instruction-hooks.ts'
import { nestedAgents } from './nested-agents.ts'
import { ownCommands } from './own-commands.ts'
import { ownFiles } from './own-files.ts'
import { signingKey } from './signing-key.ts'
import { sweptHooks } from './swept-hooks.ts'
import { writtenScript } from './written-script.ts'

export const pack: Pack = {
  id: 'self',
  title:
    'Keeps the guards active: only people, not agents, change the hooks, the configuration and the files of Holdpoint.',
  guards: [
    agentConfig,
    ownFiles,
    signingKey,
    ownCommands,
    agentSwitches,
    nestedAgents,
    agentFolder,
    stopDaemonGuard,
    configChange,
    installedHooks,
    instructionHooks,
    sweptHooks,
    writtenScript,
  ],
}
