import type { ProgramCases } from '../program.ts'

export const cases: ProgramCases = [
  ['hg status'],
  ['hg pull -u'],
  ['hg update default'],
  ['hg update -C default', 'git-discard git/discard-changes'],
  ['hg --cwd ../x up --clean', 'git-discard git/discard-changes'],
  ['hg revert a.txt'],
  ['hg revert --all --no-backup', 'git-discard git/discard-changes'],
  ['hg purge', 'git-discard git/clean'],
  ['hg purge --print'],
  ['sl goto main'],
  ['sl goto -C main', 'git-discard git/discard-changes'],
  ['sl revert --all', 'git-discard git/discard-changes'],
  ['sl clean', 'git-discard git/clean'],
  ['svn status'],
  ['svn revert a.txt'],
  ['svn revert -R .', 'git-discard git/discard-changes'],
  ['svn cleanup'],
  ['svn cleanup --remove-unversioned', 'git-discard git/clean'],
]
