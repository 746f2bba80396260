import { actGuard } from '../../act-guard.ts'

export const removeWorktree = actGuard({
  id: 'safety/git/remove-worktree',
  title: 'Removing a worktree by force',
  why: 'Another session may be working in that folder, and uncommitted work there is deleted.',
  instead:
    'use `git worktree remove ../topic`, which refuses if work would be lost. Otherwise let the user decide.',
  acts: ['git/remove-worktree'],
  mentions: /worktree/i,
  maybe: 'may delete a worktree with uncommitted work',
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
