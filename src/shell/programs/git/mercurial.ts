import type { VerbProgram } from '../../arguments/verbs.ts'
import type { ProgramTable } from '../program.ts'
import { CLEAN, DISCARD_CHANGES } from './acts.ts'

const UNTRACKED = { ...CLEAN, what: 'deletes files that are not tracked, of which there is no copy' }

const HG: VerbProgram = {
  options: `
    R|repository= cwd= config= r|rev= d|date= X|exclude= I|include= m|message= C|clean a|all no-backup
    n|dry-run p|print f|force q|quiet v|verbose h|help
  `,
  inert: 'help print',
  dryRun: 'dry-run',
  rules: [
    ['purge|clean', UNTRACKED],
    ['update|up|checkout|co|goto|go|merge', DISCARD_CHANGES, { given: 'clean' }],
    // Without the option the old contents stay beside the file.
    ['revert', DISCARD_CHANGES, { given: 'all no-backup' }],
  ],
}

const SVN: VerbProgram = {
  options: `
    r|revision= username= password= m|message= depth= targets= config-dir= R|recursive q|quiet
    remove-unversioned remove-ignored remove-added h|help
  `,
  inert: 'help',
  rules: [
    ['cleanup', UNTRACKED, { given: 'remove-unversioned remove-ignored' }],
    ['revert', DISCARD_CHANGES, { given: 'recursive' }],
  ],
}

/** Mercurial, Sapling and Subversion, where what they throw away was never committed. */
export const MERCURIAL: ProgramTable = {
  'hg sl': { acts: HG },
  svn: { acts: SVN },
}
