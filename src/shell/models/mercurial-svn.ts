import { optionTable } from '../arguments/options.ts'
import { isGiven, type VerbProgram, verbEffects } from '../arguments/verbs.ts'
import type { ActEffect } from '../vocabulary/effect.ts'
import { DISCARD_CHANGES } from './git/acts.ts'
import type { Model, ModelCases } from './model.ts'

/** Mercurial, Sapling and Subversion, where what they throw away was never committed. */

const UNTRACKED: ActEffect = {
  kind: 'git-discard',
  act: 'git/clean',
  what: 'deletes files that are not tracked, of which there is no copy',
}

const HG: VerbProgram = {
  options: optionTable(`
    R|repository= cwd= config= r|rev= d|date= X|exclude= I|include= m|message= C|clean a|all no-backup
    n|dry-run p|print f|force q|quiet v|verbose h|help
  `),
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
  options: optionTable(`
    r|revision= username= password= m|message= depth= targets= config-dir= R|recursive q|quiet
    remove-unversioned remove-ignored remove-added h|help
  `),
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

const PROGRAMS: ReadonlyMap<string, VerbProgram> = new Map([
  ['hg', HG],
  ['sl', HG],
  ['svn', SVN],
])

export const mercurialSvn: Model = {
  programs: [...PROGRAMS.keys()],
  effects({ name, command }) {
    const program = PROGRAMS.get(name)
    return program === undefined ? [] : verbEffects(command, program)
  },
}

const DISCARDS = 'git-discard git/discard-changes'
const CLEANS = 'git-discard git/clean'

export const cases: ModelCases = [
  ['hg status'],
  ['hg pull -u'],
  ['hg update default'],
  ['hg update -C default', DISCARDS],
  ['hg --cwd ../x up --clean', DISCARDS],
  ['hg revert a.txt'],
  ['hg revert --all --no-backup', DISCARDS],
  ['hg purge', CLEANS],
  ['hg purge --print'],
  ['sl goto main'],
  ['sl goto -C main', DISCARDS],
  ['sl revert --all', DISCARDS],
  ['sl clean', CLEANS],
  ['svn status'],
  ['svn revert a.txt'],
  ['svn revert -R .', DISCARDS],
  ['svn cleanup'],
  ['svn cleanup --remove-unversioned', CLEANS],
]
