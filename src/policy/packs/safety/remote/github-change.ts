import { actGuard } from '../../act-guard.ts'

export const githubChange = actGuard({
  id: 'safety/remote/github-change',
  title: 'Publicly visible action on the code host',
  why: 'Other people see a merge, a closed issue, a release or a workflow run at once, and it can trigger further actions.',
  instead: 'prepare it and say what should be merged, closed or started, and let the user do it.',
  acts: ['github/change'],
  mentions: /^(?=.*\b(gh|glab)\b)(?=.*\b(merge|close|run|create|api)\b)/s,
  maybe: 'may take a publicly visible action on the code host',
  modes: { standard: 'off', strict: 'ask', paranoid: 'ask' },
  examples: {
    stops: [
      'gh pr merge 7 --squash --delete-branch',
      'gh pr merge --auto',
      'gh pr close 7',
      'gh workflow run deploy.yml -f env=prod',
      'gh workflow disable ci.yml',
      'gh release create v1.0.0 --generate-notes',
      'gh api repos/example/shop/issues -f title=x',
      'gh api -X POST repos/example/shop/dispatches -f event_type=deploy',
      'glab mr merge 7',
      'glab mr close 7',
    ],
    passes: [
      'gh pr create --title x --body y',
      'gh pr view 7',
      'gh pr list',
      'gh pr diff 7',
      'gh issue close 7',
      'gh workflow list',
      'gh workflow view ci.yml --yaml',
      'gh run watch 1234',
      'gh release download v1.0.0',
      'gh api repos/example/shop/pulls',
      'glab mr view 7',
    ],
  },
})
