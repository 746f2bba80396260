import { actGuard } from '../../act-guard.ts'
import { inScratchClone } from './scratch.ts'

export const dropStash = actGuard({
  id: 'safety/git/drop-stash',
  title: 'Dropping stashed work',
  why: 'Work that was put aside is in no branch, so dropping it is losing it.',
  instead:
    'use `git stash pop` to get the work back, or leave the stash alone; `git stash list` shows what is there.',
  keywords: ['stash', 'STASH'],
  acts: ['git/drop-stash'],
  mentions: /stash/i,
  maybe: 'may throw away work that was put aside',
  spares: inScratchClone,
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'git stash drop',
      'git stash drop stash@{0}',
      'git stash drop -q 2',
      'git stash clear',
      'git -C ../other stash clear',
      'git --no-pager stash drop',
      'git stash apply && git stash drop',
      'A=clear; git stash $A',
      'git stash $ACTION',
      'git sta\\sh "dr"op',
      'git stash list | cut -d: -f1 | xargs -n1 git stash drop',
      '/usr/lib/git-core/git-stash clear',
      'git update-ref -d refs/stash',
      'GIT STASH CLEAR',
    ],
    passes: [
      'git -C /tmp/clone stash drop',
      'git stash',
      'git stash -u',
      'git stash push -m "drop the old parser"',
      'git stash push -- clear.ts',
      'git stash pop',
      'git stash apply stash@{1}',
      'git stash list',
      'git stash show -p',
      'git stash branch drop',
      'git stash drop --help',
      'git commit -m "git stash clear"',
      'echo git stash drop',
    ],
  },
})
