import type { ActEffect } from '../../vocabulary/effect.ts'

/** Every act of git that some guard catches. */

function discard(act: string, what: string): ActEffect {
  return { kind: 'git-discard', act: `git/${act}`, what }
}

function history(act: string, what: string): ActEffect {
  return { kind: 'git-history', act: `git/${act}`, what }
}

function remote(act: string, what: string): ActEffect {
  return { kind: 'remote-mutate', act: `git/${act}`, what }
}

export const HARD_RESET = discard('hard-reset', 'throws away changes that are not committed')
export const DISCARD_CHANGES = discard(
  'discard-changes',
  'puts older contents over changes that are not committed',
)
export const CLEAN = discard('clean', 'deletes files that git does not track, of which there is no copy')
export const DROP_STASH = discard('drop-stash', 'throws away work that was put aside with git stash')
export const DELETE_BRANCH = discard('delete-branch', 'deletes a branch even if its commits are nowhere else')
export const MOVE_BRANCH = discard('move-branch', 'moves a branch away from the commits it holds')
export const DELETE_REF = discard('delete-ref', 'deletes a branch or another reference below the surface')
export const REMOVE_WORKTREE = discard(
  'remove-worktree',
  'deletes a working folder together with what is not committed in it',
)
export const REMOVE_FILES = discard('rm-force', 'deletes files even if their changes are not committed')
export const FORCE_SUBMODULE = discard(
  'force-submodule',
  'throws away changes in a submodule that are not committed',
)

export const REWRITE_HISTORY = history('rewrite-history', 'rewrites commits of the whole repository')
export const EXPIRE_REFLOG = history(
  'expire-reflog',
  'removes the record by which lost commits could be found again',
)
export const PRUNE_NOW = history(
  'prune-now',
  'removes for good what no branch holds, also what was lost by mistake',
)
export const AMEND = history('amend', 'replaces the last commit')
export const REBASE = history('rebase', 'replaces commits by new ones')
export const MOVE_TAG = history('move-tag', 'deletes or moves a tag')

export const FORCE_PUSH = remote('force-push', 'overwrites what is on the remote, whoever pushed it')
export const FORCE_REF = remote('force-push', 'overwrites a branch on the remote, even against a lease')
export const MIRROR = remote('force-push', 'makes the remote a mirror and deletes what is missing here')
export const PRUNE_REMOTE = remote('force-push', 'deletes remote branches that have no local counterpart')
export const DELETE_TRUNK = remote('force-push', 'deletes the main branch on the remote')
export const DELETE_REMOTE = remote('delete-remote', 'deletes a branch or tag on the remote')
