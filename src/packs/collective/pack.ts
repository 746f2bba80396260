import type { Pack } from '../guard.ts'
import { climbing } from './block-destructive-commands/climbing.ts'
import { execCall } from './block-destructive-commands/exec-call.ts'
import { forcePush } from './block-destructive-commands/force-push.ts'
import { rmRf } from './block-destructive-commands/rm-rf.ts'
import { sudoRm } from './block-destructive-commands/sudo-rm.ts'
import { systemCall } from './block-destructive-commands/system-call.ts'
import { blockSensitiveFiles } from './block-sensitive-files.ts'
import { loadBehavioralSystem } from './load-behavioral-system.ts'
import { collect } from './metrics/collect.ts'
import { sumUp } from './metrics/sum-up.ts'
import { collectiveComplaints } from './options.ts'
import { preCompactState } from './pre-compact-state.ts'
import { semanticDocs } from './semantic-docs.ts'
import { subagentContext } from './subagent-context.ts'
import { testDrivenHandoff } from './test-driven-handoff.ts'

/** In the order the hooks of the collective stand. */
export const pack: Pack = {
  id: 'collective',
  title:
    'Agents hand their work on when its tests pass: routes, checks and figures of a collective of specialists.',
  programs: ['dependencies', 'test', 'build'],
  complaints: collectiveComplaints,
  guards: [
    loadBehavioralSystem,
    rmRf,
    sudoRm,
    climbing,
    systemCall,
    execCall,
    forcePush,
    blockSensitiveFiles,
    collect,
    sumUp,
    semanticDocs,
    testDrivenHandoff,
    preCompactState,
    subagentContext,
  ],
}
