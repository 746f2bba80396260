import { act } from '../../vocabulary/effect.ts'

export const HARD_RESET = act('git/hard-reset', 'git-discard', 'throws away changes that are not committed')
export const DISCARD_CHANGES = act(
  'git/discard-changes',
  'git-discard',
  'puts older contents over changes that are not committed',
)
export const CLEAN = act(
  'git/clean',
  'git-discard',
  'deletes files that git does not track, of which there is no copy',
)
export const DROP_STASH = act(
  'git/drop-stash',
  'git-discard',
  'throws away work that was put aside with git stash',
)
export const DELETE_BRANCH = act(
  'git/delete-branch',
  'git-discard',
  'deletes a branch even if its commits are nowhere else',
)
export const MOVE_BRANCH = act(
  'git/move-branch',
  'git-discard',
  'moves a branch away from the commits it holds',
)
export const DELETE_REF = act(
  'git/delete-ref',
  'git-discard',
  'deletes a branch or another reference below the surface',
)
export const REMOVE_WORKTREE = act(
  'git/remove-worktree',
  'git-discard',
  'deletes a working folder together with what is not committed in it',
)
export const REMOVE_FILES = act(
  'git/rm-force',
  'git-discard',
  'deletes files even if their changes are not committed',
)
export const FORCE_SUBMODULE = act(
  'git/force-submodule',
  'git-discard',
  'throws away changes in a submodule that are not committed',
)

export const REWRITE_HISTORY = act(
  'git/rewrite-history',
  'git-history',
  'rewrites commits of the whole repository',
)
export const EXPIRE_REFLOG = act(
  'git/expire-reflog',
  'git-history',
  'removes the record by which lost commits could be found again',
)
export const PRUNE_NOW = act(
  'git/prune-now',
  'git-history',
  'removes for good what no branch holds, also what was lost by mistake',
)
export const AMEND = act('git/amend', 'git-history', 'replaces the last commit')
export const REBASE = act('git/rebase', 'git-history', 'replaces commits by new ones')
export const MOVE_TAG = act('git/move-tag', 'git-history', 'deletes or moves a tag')

export const FORCE_PUSH = act(
  'git/force-push',
  'remote-mutate',
  'overwrites what is on the remote, including commits of other people',
)
export const FORCE_REF = { ...FORCE_PUSH, what: 'overwrites a branch on the remote, even against a lease' }
export const MIRROR = { ...FORCE_PUSH, what: 'makes the remote a mirror and deletes what is missing here' }
export const PRUNE_REMOTE = { ...FORCE_PUSH, what: 'deletes remote branches that have no local counterpart' }
export const DELETE_TRUNK = { ...FORCE_PUSH, what: 'deletes the main branch on the remote' }
export const DELETE_REMOTE = act(
  'git/delete-remote',
  'remote-mutate',
  'deletes a branch or tag on the remote',
)

export const CONFIG_EXEC = act(
  'git/config-exec',
  'system-change',
  'makes git run a program named in its settings',
)
export const WORK_TREE = act(
  'git/work-tree',
  'system-change',
  'makes git take another folder for its work tree',
)
export const TRANSPORT_COMMAND = act(
  'git/transport-command',
  'system-change',
  'runs a command of its own in place of the program that moves commits',
)
