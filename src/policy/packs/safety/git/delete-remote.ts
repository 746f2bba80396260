import { actGuard } from '../../act-guard.ts'

export const deleteRemote = actGuard({
  id: 'safety/git/delete-remote',
  title: 'Deleting a branch or tag on the remote',
  why: 'Other people may work on the branch, and the server keeps no record of the commit it pointed to.',
  instead:
    'name the branch and let the user decide. `git branch -r --merged` shows which branches are merged.',
  acts: ['git/delete-remote'],
  mentions: /push|send-pack/i,
  maybe: 'may delete a branch on the remote',
  modes: { standard: 'ask', strict: 'ask', paranoid: 'deny' },
  examples: {
    stops: [
      'git push --delete origin feature',
      'git push origin --delete feature old',
      'git push -d origin feature',
      'git push -vd origin feature',
      'git push origin :feature',
      'git push origin main :feature',
      'git push origin ":$BRANCH"',
      'git push origin --del v1.0.0',
      'git push origin :refs/tags/v1.0.0',
      'git -C ../other push origin :feature',
      'git branch -r --merged | xargs -n1 git push -d origin',
      'git send-pack origin :feature',
    ],
    passes: [
      'git push origin feature',
      'git push origin HEAD:feature',
      'git push origin refs/heads/a:refs/heads/b',
      'git push --dry-run --delete origin feature',
      'git push -n origin :feature',
      'git push --delete --help',
      'git push origin :',
      'git branch -d feature',
      'git remote prune origin',
      'git fetch --prune',
      'git remote remove old',
      'git commit -m "git push origin :feature"',
    ],
  },
})
