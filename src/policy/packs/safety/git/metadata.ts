import type { GuardMatch } from '../../../../core/guard.ts'
import { exactForm, type Form } from '../../../../shell/words/words.ts'
import { detector, shellGuard } from '../../shell-guard.ts'
import { type GitFolderChange, gitFolderChanges } from './git-folder.ts'

/**
 * Hooks and settings are handled by `safety/git/hook-files`. Files that git creates again (index, locks, messages)
 * may be deleted.
 */
export const metadata = shellGuard({
  id: 'safety/git/metadata',
  title: "Changing git's internal files",
  why: 'The .git folder contains every commit and branch. Files that are deleted or overwritten there are lost, together with their history.',
  instead:
    'use git commands (`git status`, `git fsck`). You may delete a stale lock with `rm -f .git/index.lock`.',
  match: '*',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'rm -rf .git',
      'rm -rf .git/',
      'rm -rf ./.git/*',
      'rm -r .git/objects',
      'rm -rf .git/{objects,refs}',
      "rm -rf '.git/{objects,refs}'",
      'rm -rf .git/refs',
      'rm -f .git/packed-refs',
      'rm .git/HEAD',
      'rm -rf .git/worktrees',
      'rm -rf .g*',
      'rm -rf backup.git/objects',
      'cd .git && rm -rf objects',
      'rm -rf src/../.git',
      'rm -rf /home/dev/other/.git',
      'rm -rf app/.git',
      'rm -rf .git/modules/vendor',
      'mv .git ../old-git',
      'mv .git/objects /tmp/x',
      'echo x > .git/objects/aa',
      'echo ref: refs/heads/x > .git/HEAD',
      '> .git/packed-refs',
      'truncate -s 0 .git/packed-refs',
      'cp /tmp/HEAD .git/HEAD',
      'truncate -s 0 .git/index',
      'ln -sf /dev/null .git/index',
      'echo x | tee .git/refs/heads/main',
      'find .git -delete',
      'find .git/objects -type f -exec rm {} +',
      'find . -name .git | xargs rm -rf',
      'chmod -R 000 .git',
      { tool: 'Write', input: { file_path: '/srv/project/.git/HEAD', content: 'x' } },
      { tool: 'Edit', input: { file_path: '.git/refs/heads/main', old_string: 'a', new_string: 'b' } },
    ],
    passes: [
      'cat .git/HEAD',
      'ls -la .git',
      'du -sh .git/objects',
      'cp -r .git /tmp/backup',
      'tar czf /tmp/backup.tgz .git',
      "find . -name '.git' -prune",
      'rm -f .git/index.lock',
      'rm -f .git/refs/heads/main.lock',
      'rm .git/index',
      'rm -rf .git/rebase-merge',
      'rm .git/MERGE_HEAD',
      'echo dist >> .git/info/exclude',
      'echo message > .git/COMMIT_EDITMSG',
      'rm -rf /tmp/clone/.git',
      'rm -rf node_modules/x/.git',
      'git clone --depth 1 https://example.com/x.git app && rm -rf app/.git',
      'git clone https://example.com/x.git app; cd app && rm -rf .git && git init',
      'D=$(mktemp -d); rm -rf "$D/.git"',
      'rm -rf .github/workflows/old.yml',
      'rm .gitignore',
      'git --git-dir=.git status',
      'chown -R dev .git',
      'git clone https://example.com/x.git',
      { tool: 'Read', input: { file_path: '.git/HEAD' } },
      { tool: 'Write', input: { file_path: '.gitignore', content: 'dist' } },
      { tool: 'Write', input: { file_path: '.git/info/exclude', content: 'dist' } },
      { tool: 'Write', input: { file_path: '.git/COMMIT_EDITMSG', content: 'x' } },
    ],
  },
  mentions: /\.git\b/i,
  maybe: 'may destroy the repository',
  detectors: [detector(gitFolderChanges, judge)],
})

/** The repository is broken without these. */
const VITAL = /^(HEAD|objects|refs|packed-refs|logs|worktrees|shallow|reftable|lfs|annex)$/
/** Handled by another guard. */
const ELSEWHERE = /^(hooks|config|config\.worktree)$/
/** Files that git creates again, or that a person may edit. */
const FREE =
  /^(index|info|description|branches|gc\.(log|pid)|COMMIT_EDITMSG|\w+_(MSG|HEAD|MODE|RR|LOG)|AUTO_MERGE|BISECT_.*|rebase-(merge|apply)|sequencer|fsmonitor--daemon.*)$/

function judge(change: GitFolderChange): GuardMatch | null {
  const part = partOf(change)
  if (part === undefined) return null
  const { kind, shown } = change
  const verb = { write: 'changes or moves', delete: 'deletes', close: 'locks' }[kind]
  const unsure = change.unsure ?? (part === MINOR ? 'it may not be needed' : undefined)
  return change.caught(`${verb} ${part} (${shown})`, unsure)
}

const MINOR = 'a part of the repository'

/**
 * The part of the repository that is changed. Undefined if nothing important is lost, or another guard handles it.
 */
function partOf({ inside, kind, recursive }: GitFolderChange): string | undefined {
  const [first] = inside
  if (first === undefined) {
    return kind === 'write' && !recursive ? undefined : 'the repository with all its history'
  }
  if (nameOf(inside.at(-1)).endsWith('.lock')) return undefined
  const name = exactForm(first)
  if (name === undefined) return 'parts of the repository'
  if (VITAL.test(name) || (name === 'index' && kind === 'write')) return "git's internal files"
  if (FREE.test(name) || ELSEWHERE.test(name)) return undefined
  return kind === 'delete' && recursive ? MINOR : undefined
}

function nameOf(part: Form | undefined): string {
  return part?.map((piece) => piece.text).join('') ?? ''
}
