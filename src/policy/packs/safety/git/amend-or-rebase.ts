import { actGuard } from '../../act-guard.ts'
import { inScratchClone } from './scratch.ts'

/** Normal when you work alone, a problem when others share the branch. So it is off at the standard level. */
export const amendOrRebase = actGuard({
  id: 'safety/git/amend-or-rebase',
  title: 'Replacing commits or tags',
  why: 'Other people may already use the old commits or tags. Their copies no longer match, and they have to repair them.',
  instead: 'make a new commit (`git commit --fixup HEAD`), or merge (`git merge main`).',
  acts: ['git/amend', 'git/rebase', 'git/move-tag'],
  mentions: /--am|rebase|tag/i,
  maybe: 'may replace commits',
  spares: inScratchClone,
  undoable: true,
  modes: { standard: 'off', strict: 'ask', paranoid: 'ask' },
  examples: {
    stops: [
      'git commit --amend',
      'git commit --amend --no-edit',
      'git commit -a --amend -m "fix typo"',
      'git commit --ame --no-edit',
      'git rebase main',
      'git rebase -i HEAD~3',
      'git rebase --onto main topic',
      'GIT_SEQUENCE_EDITOR=true git rebase -i --autosquash main',
      'git -C ../other rebase main',
      'git tag -d v1.0.0',
      'git tag -f v1.0.0',
    ],
    passes: [
      'git -C /tmp/clone rebase main',
      'git commit -m "use --amend"',
      'git commit --fixup HEAD',
      'git commit --amend --dry-run',
      'git rebase --abort',
      'git rebase --continue',
      'git rebase --skip',
      'git rebase --help',
      'git pull --rebase',
      'git tag v1.0.0',
      'git tag -l "v*"',
      'git tag -a v1.0.0 -m "delete -d"',
      'git merge main',
      'git log --grep=amend',
    ],
  },
})
