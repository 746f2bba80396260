import { isGiven, type VerbProgram } from '../../arguments/verbs.ts'
import type { ProgramTable } from '../program.ts'
import { CLEAN, DISCARD_CHANGES } from './acts.ts'

const UNTRACKED = { ...CLEAN, what: 'deletes files that are not tracked, of which there is no copy' }

const HG: VerbProgram = {
  options: `
    R|repository= cwd= config= r|rev= d|date= X|exclude= I|include= m|message= C|clean a|all no-backup
    n|dry-run p|print f|force q|quiet v|verbose h|help
  `,
  inert: ['help', 'print'],
  dryRun: ['dry-run'],
  rules: [
    { verbs: 'purge|clean', act: UNTRACKED },
    {
      verbs: 'update|up|checkout|co|goto|go|merge',
      act: DISCARD_CHANGES,
      when: ({ read }) => isGiven(read, 'clean'),
    },
    // Without the option the old contents stay beside the file.
    { verbs: 'revert', act: DISCARD_CHANGES, when: ({ read }) => isGiven(read, 'all', 'no-backup') },
  ],
}

const SVN: VerbProgram = {
  options: `
    r|revision= username= password= m|message= depth= targets= config-dir= R|recursive q|quiet
    remove-unversioned remove-ignored remove-added h|help
  `,
  inert: ['help'],
  rules: [
    {
      verbs: 'cleanup',
      act: UNTRACKED,
      when: ({ read }) => isGiven(read, 'remove-unversioned', 'remove-ignored'),
    },
    { verbs: 'revert', act: DISCARD_CHANGES, when: ({ read }) => isGiven(read, 'recursive') },
  ],
}

/** Mercurial, Sapling and Subversion, where what they throw away was never committed. */
export const MERCURIAL: ProgramTable = {
  'hg sl': { acts: HG },
  svn: { acts: SVN },
}
