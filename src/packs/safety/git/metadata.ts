import { exactForm, type Form } from '../../../shell/words.ts'
import type { Caught } from '../../guard.ts'
import { look, shellGuard } from '../../shell-guard.ts'
import { type GitFolderChange, gitFolderChanges } from './git-folder.ts'

/** Hooks and settings are `safety/git/hook-files`; what git makes anew by itself (index, locks, messages) may go. */
export const metadata = shellGuard({
  id: 'safety/git/metadata',
  title: 'Changing what git keeps for itself',
  why: 'The folder .git holds every commit and branch; what is deleted or overwritten there is lost with its history.',
  instead: 'use git itself (`git status`, `git fsck`); a stale lock may go with `rm -f .git/index.lock`.',
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
  looks: [look(gitFolderChanges, judge)],
})

/** Without these the repository is broken. */
const VITAL = /^(HEAD|objects|refs|packed-refs|logs|worktrees|shallow|reftable|lfs|annex)$/
/** Belongs to another guard. */
const ELSEWHERE = /^(hooks|config|config\.worktree)$/
/** What git makes anew, or what a person may edit. */
const FREE =
  /^(index|info|description|branches|gc\.(log|pid)|COMMIT_EDITMSG|\w+_(MSG|HEAD|MODE|RR|LOG)|AUTO_MERGE|BISECT_.*|rebase-(merge|apply)|sequencer|fsmonitor--daemon.*)$/

function judge(change: GitFolderChange): Caught | null {
  const part = partOf(change)
  if (part === undefined) return null
  const { kind, shown } = change
  const verb = { write: 'changes or moves', delete: 'deletes', close: 'locks' }[kind]
  const unsure = change.unsure ?? (part === MINOR ? 'it may not be needed' : undefined)
  return change.caught(`${verb} ${part} (${shown})`, unsure)
}

const MINOR = 'a part of the repository'

/** What of the repository is hit; undefined when that is nobody's loss, or another guard's concern. */
function partOf({ inside, kind, recursive }: GitFolderChange): string | undefined {
  const [first] = inside
  if (first === undefined) {
    return kind === 'write' && !recursive ? undefined : 'the repository with all its history'
  }
  if (nameOf(inside.at(-1)).endsWith('.lock')) return undefined
  const name = exactForm(first)
  if (name === undefined) return 'parts of the repository'
  if (VITAL.test(name) || (name === 'index' && kind === 'write')) return 'what git keeps for itself'
  if (FREE.test(name) || ELSEWHERE.test(name)) return undefined
  return kind === 'delete' && recursive ? MINOR : undefined
}

function nameOf(part: Form | undefined): string {
  return part?.map((piece) => piece.text).join('') ?? ''
}
