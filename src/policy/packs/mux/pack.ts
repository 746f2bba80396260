import type { Pack } from '../../../core/guard.ts'
import { wordList } from '../../../core/word-list.ts'
import { MUX_OPTIONS } from './options.ts'
import { orchestrator } from './orchestrator.ts'
import { polling } from './polling.ts'
import { reportGuard } from './report.ts'
import { subagent } from './subagent.ts'

export const pack: Pack = {
  id: 'mux',
  title: 'An orchestrator that may only delegate, and sub-agents that report with signals.',
  // Some options name programs and all of them can weaken the rules, so options from an untrusted file are ignored.
  programs: wordList(
    'commands toolRoots unknownTool allow skillAllow subagentSkillAllow taskBackground watchdog polling',
  ),
  options: MUX_OPTIONS,
  wrongOptions: 'use defaults',
  guards: [orchestrator, polling, subagent, reportGuard],
}
