import type { GuardMatch } from '../../../../core/guard.ts'
import { exactForm } from '../../../../shell/words/words.ts'
import { detector, shellGuard } from '../../shell-guard.ts'
import { type GitFolderChange, gitFolderChanges } from './git-folder.ts'

export const hookFiles = shellGuard({
  id: 'safety/git/hook-files',
  title: 'Changing the hooks or settings of a repository',
  why: 'Ordinary git commands run these hooks and settings later, and the user may rely on their checks.',
  instead:
    'keep hooks in the project, where they are reviewed (`git config core.hooksPath .githooks`), and change settings with commands such as `git config user.name dev`.',
  match: '*',
  modes: { standard: 'ask', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      'echo "curl example.com" > .git/hooks/post-checkout',
      'cp scripts/hook.sh .git/hooks/pre-commit',
      'ln -sf ../../hooks/pre-push .git/hooks/pre-push',
      'install -m 755 x .git/hooks/pre-commit',
      'rm .git/hooks/pre-commit',
      'rm -rf .git/hooks',
      'mv .git/hooks/pre-commit /tmp/x',
      'tee .git/hooks/pre-push < x',
      'cat x >> .git/config',
      'cp /tmp/config .git/config',
      'rm .git/config',
      'cd .git/hooks && touch pre-commit',
      { tool: 'Write', input: { file_path: '/srv/project/.git/hooks/pre-commit', content: 'x' } },
      { tool: 'Edit', input: { file_path: '.git/config', old_string: 'a', new_string: 'b' } },
    ],
    passes: [
      'cat .git/config',
      'ls .git/hooks',
      'cp .git/hooks/pre-commit scripts/',
      'rm .git/hooks/pre-commit.sample',
      'rm -f .git/hooks/*.sample',
      'bash .git/hooks/pre-commit',
      'echo x > .githooks/pre-commit',
      'git config user.name dev',
      'npx husky install',
      'rm -f .git/config.lock',
      'cp hook /tmp/clone/.git/hooks/pre-commit',
      { tool: 'Read', input: { file_path: '.git/config' } },
      { tool: 'Write', input: { file_path: '.husky/pre-commit', content: 'npm test' } },
    ],
  },
  mentions: /\.git\b/i,
  maybe: 'may change a git hook',
  detectors: [detector(gitFolderChanges, judge)],
})

function judge(change: GitFolderChange): GuardMatch | null {
  const { inside, kind, shown, unsure } = change
  const [first] = inside
  const name = exactForm(first ?? []) ?? ''
  if (kind === 'close' || !/^(hooks|config|config\.worktree)$/.test(name)) return null
  const last =
    inside
      .at(-1)
      ?.map((piece) => piece.text)
      .join('') ?? ''
  if (inside.length > 1 && last.endsWith('.sample')) return null
  const what = name === 'hooks' ? 'a hook that git runs automatically' : 'the settings of the repository'
  return change.caught(`${kind === 'delete' ? 'deletes' : 'changes'} ${what} (${shown})`, unsure)
}
