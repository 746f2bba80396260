import { actGuard } from '../../act-guard.ts'

export const removeWorktree = actGuard({
  id: 'safety/git/remove-worktree',
  title: 'Removing a worktree by force',
  why: 'Another session may work in that folder, and what is not committed there is deleted with it.',
  instead:
    'use `git worktree remove ../topic`, which refuses when something would be lost, or ask the person.',
  keywords: ['worktree', 'WORKTREE'],
  acts: ['git/remove-worktree'],
  mentions: /worktree/i,
  maybe: 'may delete a working folder with what is not committed in it',
  modes: { standard: 'ask', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      'git worktree remove --force ../topic',
      'git worktree remove -f ../topic',
      'git worktree remove ../topic --force',
      'git worktree remove -ff ../topic',
      'git worktree remove --forc ../topic',
      'git -C ../other worktree remove -f ../topic',
      'git worktree list | xargs git worktree remove --force',
      'A=remove; git worktree $A -f ../topic',
      'git worktree $ACTION --force ../topic',
    ],
    passes: [
      'git worktree list',
      'git worktree add ../topic topic',
      'git worktree add -f ../topic topic',
      'git worktree remove ../topic',
      'git worktree remove "$DIR"',
      'git worktree prune',
      'git worktree prune --dry-run',
      'git worktree remove --force --help',
      'git worktree move ../a ../b',
      'git worktree lock ../topic',
      'git commit -m "git worktree remove --force"',
    ],
  },
})
