import { actGuard } from '../../act-guard.ts'

export const removeFiles = actGuard({
  id: 'safety/git/remove-files',
  title: 'Removing tracked files or submodules by force',
  why: 'With force, git also removes files with uncommitted changes, and those changes are lost.',
  instead:
    'run it without the force option: `git rm old.ts` refuses if changes would be lost. `git rm --cached old.ts` keeps the file.',
  acts: ['git/rm-force', 'git/force-submodule'],
  mentions: /\brm\b|submodule/i,
  maybe: 'may delete files with uncommitted changes',
  modes: { standard: 'ask', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      'git rm -f old.ts',
      'git rm -rf src',
      'git rm -r --force src',
      'git rm --forc old.ts',
      'git rm old.ts -f',
      'git -C ../other rm -rf .',
      'git $(echo rm) -f old.ts',
      'git rm $FLAGS old.ts',
      'git ls-files -d | xargs git rm -f',
      'git submodule deinit -f vendor/x',
      'git submodule deinit --force --all',
      'git submodule update --init --force',
    ],
    passes: [
      'git rm old.ts',
      'git rm -r src/old',
      'git rm --cached .env',
      'git rm -r --cached -f node_modules',
      'git rm -n -f old.ts',
      'git rm --dry-run -rf src',
      'git rm "$f"',
      'git rm -rf --help',
      'git submodule update --init --recursive',
      'git submodule deinit vendor/x',
      'git submodule status',
      'git mv a.ts b.ts',
      'git commit -m "git rm -rf src"',
    ],
  },
})
