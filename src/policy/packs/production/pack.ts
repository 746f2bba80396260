import type { Pack } from '../../../core/guard.ts'
import { commitHooks } from './commit-hooks.ts'
import { dryRun } from './dry-run.ts'
import { publicSharing } from './public-sharing.ts'

export const pack: Pack = {
  id: 'production',
  title: 'Rules for careful work: a dry run writes nothing, commit hooks run, documents stay private',
  options: {},
  wrongOptions: 'use defaults',
  guards: [dryRun, commitHooks, publicSharing],
}
