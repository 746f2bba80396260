import type { Pack } from '../../../core/guard.ts'
import { climbing } from './block-destructive-commands/climbing.ts'
import { execCall } from './block-destructive-commands/exec-call.ts'
import { forcePushPattern } from './block-destructive-commands/force-push.ts'
import { rmRf } from './block-destructive-commands/rm-rf.ts'
import { sudoRm } from './block-destructive-commands/sudo-rm.ts'
import { systemCall } from './block-destructive-commands/system-call.ts'
import { blockSensitiveFiles } from './block-sensitive-files.ts'
import { loadBehavioralSystem } from './load-behavioral-system.ts'
import { collect } from './metrics/collect.ts'
import { sumUp } from './metrics/sum-up.ts'
import { COLLECTIVE_OPTIONS } from './options.ts'
import { preCompactState } from './pre-compact-state.ts'
import { semanticDocs } from './semantic-docs.ts'
import { subagentContext } from './subagent-context.ts'
import { testDrivenHandoff } from './test-driven-handoff.ts'

/** In the same order as the hooks of the collective. */
export const pack: Pack = {
  id: 'collective',
  title:
    'A collective of specialist agents: work is handed on when its tests pass. Includes routing, checks and metrics.',
  programs: ['dependencies', 'test', 'build'],
  options: COLLECTIVE_OPTIONS,
  wrongOptions: 'use defaults',
  guards: [
    loadBehavioralSystem,
    rmRf,
    sudoRm,
    climbing,
    systemCall,
    execCall,
    forcePushPattern,
    blockSensitiveFiles,
    collect,
    sumUp,
    semanticDocs,
    testDrivenHandoff,
    preCompactState,
    subagentContext,
  ],
}
