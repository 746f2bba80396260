import type { Guard, GuardMatch } from '../../../core/guard.ts'
import { readGit } from '../../../shell/programs/git/call.ts'
import type { SimpleCommand } from '../../../shell/vocabulary/command.ts'
import { caughtChange, changedPaths } from '../../analysis/changed-paths.ts'
import { shellOf, unreadableMatch } from '../../analysis/shell-of.ts'
import { strongest } from '../strongest.ts'
import { bypassByEnvironment, exportedIn } from './hook-environment.ts'
import { bypassByGit, bypassByOther } from './hook-options.ts'

/** Hooks that run at a commit or a push are the checks of the project. */
export const commitHooks: Guard = {
  id: 'production/commit-hooks',
  title: 'Skipping the commit hooks',
  why: 'The project requires these checks before every commit and push. Without them, faulty changes can get in.',
  instead:
    'run `git commit` without the option and fix what the hooks report. If a hook cannot pass, say what fails.',
  on: ['PreToolUse'],
  match: 'Bash',
  modes: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
  examples: {
    stops: [
      'git commit --no-verify -m "wip"',
      'git commit -n -m wip',
      'git commit -anm wip',
      'git commit -nam "quick fix"',
      'git commit --no-veri -m x',
      'git commit --amend --no-edit --no-verify',
      'git commit --verify --no-verify -m x',
      'git -C sub commit --no-verify -m x',
      'git -c user.name=x commit -n -m y',
      'git push --no-verify origin main',
      'git push origin main --no-verif',
      'git merge --no-verify topic',
      'git am --no-verify x.patch',
      'git rebase --no-verify main',
      'git cherry-pick --no-verify abc123',
      'git pull --no-verify',
      'git ci --no-verify -m x',
      'HUSKY=0 git commit -m x',
      'env HUSKY_SKIP_HOOKS=1 git push',
      'SKIP=eslint,prettier git commit -m x',
      'LEFTHOOK=0 git commit -m x',
      'PRE_COMMIT_ALLOW_NO_CONFIG=1 git commit -m x',
      'export HUSKY=0; git commit -m x',
      "HUSKY=0 bash -c 'git commit -m x'",
      'git -c core.hooksPath=/dev/null commit -m x',
      'git -c core.hookspath= push',
      'git --config-env=core.hooksPath=EMPTY commit -m x',
      'git config core.hooksPath /dev/null',
      'git config --local --unset core.hooksPath',
      'git config set core.hooksPath /tmp/none',
      'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null git commit -m x',
      'git commit-tree HEAD^{tree} -p HEAD -m x',
      'git config --global alias.ci "commit --no-verify"',
      'git -c alias.c="commit -n" c -m x',
      'npm version patch --no-commit-hooks',
      'npx standard-version --no-verify',
      'rm .git/hooks/pre-commit',
      'chmod -x .git/hooks/pre-push',
      'mv .git/hooks /tmp/hooks',
      'mv .husky .husky.off',
      'rm -rf .husky',
      'chmod -x .husky/pre-commit',
      'rm .githooks/commit-msg',
      'mv .pre-commit-config.yaml /tmp/x',
      'pre-commit uninstall',
      'git commit $FLAGS -m x',
    ],
    passes: [
      'git commit -m "wip"',
      'git commit -m "drop the -n flag and --no-verify"',
      'git commit -m ok && head -n 5 f',
      'echo "git commit --no-verify"',
      'git commit -mn',
      'git commit -m --no-verify',
      'git commit --no-verify --verify -m x',
      'git commit -F message.txt',
      'git commit --no-verbose -m x',
      'git push -n origin main',
      'git push --dry-run',
      'git push origin $BRANCH',
      'git merge -n topic',
      'git merge --no-verify-signatures topic',
      'git cherry-pick -n abc123',
      'git log -n 5',
      'git log --grep --no-verify',
      'git show -n 1',
      'git tag -n',
      'git clean -n',
      'HUSKY=0 npm ci',
      'HUSKY=1 git commit -m x',
      'SKIP=slow npm test',
      'git config core.hooksPath',
      'git config --get core.hooksPath',
      'git config core.hooksPath .husky',
      'git -c core.hooksPath=.githooks commit -m x',
      'git config --list',
      'git config alias.ci "commit --verbose"',
      'git config alias.last "log -n 1"',
      'git rebase main',
      'pre-commit run --all-files',
      'pre-commit install',
      'cat .git/hooks/pre-commit',
      'cat .husky/pre-commit',
      'echo "npm test" > .husky/pre-commit',
      'chmod +x .husky/pre-commit',
      'chmod 755 .git/hooks/pre-commit',
      'rm -f .git/hooks/*.sample',
      'rm .husky/old.sh',
      'aws s3 ls --no-verify-ssl',
      'grep -rn -e --no-verify .',
    ],
  },
  check({ event, facts }) {
    const analysis = shellOf(event, facts)
    if (!analysis.judged) return unreadableMatch(event, analysis.why, MENTIONS, 'may skip the commit hooks')
    const { commands } = analysis
    const removed = changedPaths(event, facts).filter(
      ({ does, guessed, fragment }) => does !== 'writes' && guessed !== true && !MAKES_RUN.test(fragment),
    )
    const exported = exportedIn(commands)
    return (
      strongest(commands, (command) => bypass(command, exported, facts.home)) ??
      strongest(removed, (change) => {
        const names = change.path.parts.map((part) => part.map(({ text }) => text).join(''))
        return HOOKS.test(names.join('/'))
          ? caughtChange(change, `${change.does} ${change.source}, which contains the hooks`)
          : null
      })
    )
  },
}

/** `chmod +x`, `chmod 755`: these let the hook run. */
const MAKES_RUN = /\bchmod\s+(?:-\w+\s+)*(?:[ugoa]*\+[rwx]*x[rwx]*|0?[1357][0-7]{2})\s[^;&|]*$/

/** Where git looks for hooks, and where hook managers keep their scripts. */
const HOOKS =
  /(?:^|\/)(?:\.git\/hooks(?:\/(?![^/]*\.sample$)|$)|\.(?:husky|githooks)(?:\/(?:_|(?:pre|post|commit|prepare)-[\w-]+))?$|\.pre-commit-config\.yaml$|\.?lefthook\.ya?ml$)/

const MENTIONS = /no-veri|hookspath|HUSKY|LEFTHOOK|\bSKIP=|git\s+commit/i

function bypass(
  command: SimpleCommand,
  exported: ReadonlyMap<string, string>,
  home: string,
): GuardMatch | null {
  if (command.name !== 'git') return said(command, bypassByOther(command))
  const call = readGit(command.args, { cwd: command.cwd, home })
  const by = bypassByGit(call) ?? bypassByEnvironment(call, command.assignments, exported)
  return said(command, by)
}

function said(command: SimpleCommand, by: { what: string; unsure?: string } | undefined): GuardMatch | null {
  if (by === undefined) return null
  const detail = { effect: 'skips commit hooks', via: [...command.via], at: [command.start, command.end] }
  const unsure = by.unsure === undefined ? {} : { unsure: by.unsure }
  return { caught: `skips the commit hooks with ${by.what}`, fragment: command.fragment, ...unsure, detail }
}
