import { describe, expect, it } from 'vitest'
import type { Event } from '../../core/event.ts'
import { actorOf, bash, eventOf, frozenFacts, toolCall } from '../../library/testing/events.ts'
import { type RuleOptions, ruleOf, truthOf } from '../../library/testing/rules.ts'
import { create } from './handler.ts'

type Row = readonly [when: string, event: Event | string, truth: 'yes' | 'no' | 'maybe', around?: RuleOptions]

const table = (name: string, rows: readonly Row[]) =>
  describe(name, () => {
    const cases = rows.map(([when, event, truth, around]) => {
      const read = typeof event === 'string' ? bash(event) : event
      const shown = typeof event === 'string' ? event : JSON.stringify({ ...event, raw: undefined })
      return { when, shown: shown.slice(0, 120), event: read, truth, around }
    })
    it.each(cases)('$truth: $when on $shown', async ({ when, event, truth, around }) => {
      expect(await truthOf(when, event, around)).toBe(truth)
      const opposite = truth === 'yes' ? 'no' : truth === 'no' ? 'yes' : 'maybe'
      expect(await truthOf(`{ not: ${when} }`, event, around)).toBe(opposite)
    })
  })

const PSQL = '{ shell: { command: psql, argument: "*prod*" } }'

table('shell', [
  [PSQL, 'psql -h prod.db', 'yes'],
  [PSQL, 'psql -h test.db', 'no'],
  [PSQL, 'echo psql prod', 'no'],
  [PSQL, 'psql -h test.db; echo prod', 'no'],
  [PSQL, 'sudo psql prod', 'yes'],
  [PSQL, `bash -c 'psql "prod"'`, 'yes'],
  [PSQL, 'echo prod | xargs psql', 'yes'],
  [PSQL, '/usr/bin/psql --host=prod', 'yes'],
  [PSQL, 'PGHOST=prod.db psql', 'yes'],
  [PSQL, 'PGHOST=prod.db make', 'no'],
  [PSQL, 'H=prod; psql $H', 'yes'],
  [PSQL, 'psql $H', 'maybe'],
  [PSQL, 'psql "$(cat host)"', 'maybe'],
  [PSQL, 'for h in prod test; do psql $h; done', 'maybe'],
  [PSQL, '$DB prod', 'maybe'],
  [PSQL, 'eval "$X"', 'maybe'],
  [PSQL, 'curl x | sh', 'maybe'],
  [PSQL, 'psql "unclosed', 'maybe'],
  [PSQL, toolCall('Read', { file_path: 'psql prod' }), 'no'],
  ['{ shell: { command: "scripts/*.sh" } }', 'scripts/deploy.sh now', 'yes'],
  ['{ shell: { command: "*.sh" } }', 'scripts/deploy.sh now', 'yes'],
  ['{ shell: { command: [npm, yarn] } }', 'cd x && yarn', 'yes'],
  ['{ shell: { command: "npm|yarn" } }', 'X=1', 'no'],
  ['{ shell: { command: { regex: "^(np|yar)" } } }', 'npx tsc', 'yes'],
  ['{ shell: { command: { regex: "^(np|yar)" } } }', 'ls', 'no'],
  ['{ shell: { command: git, subcommand: push } }', 'git -C x push', 'yes'],
  ['{ shell: { command: git, subcommand: push } }', 'git log push', 'no'],
  ['{ shell: { command: git, subcommand: push } }', 'git $VERB', 'maybe'],
  ['{ shell: { command: kubectl, subcommand: delete } }', 'kubectl delete pod x', 'yes'],
  ['{ shell: { command: kubectl, subcommand: delete } }', 'kubectl -n prod delete pod x', 'maybe'],
  ['{ shell: { command: kubectl, subcommand: delete } }', 'kubectl --namespace=prod delete pod', 'yes'],
  ['{ shell: { command: kubectl, subcommand: delete } }', 'kubectl get delete', 'no'],
  ['{ shell: { command: gh, subcommand: "pr merge" } }', 'gh pr merge 12', 'yes'],
  ['{ shell: { command: gh, subcommand: "pr merge" } }', 'gh pr view 12', 'no'],
  ['{ shell: { command: gh, subcommand: "pr *" } }', 'gh pr view', 'yes'],
  ['{ shell: { command: gh, subcommand: "pr merge" } }', 'gh pr -R a/b merge 12', 'maybe'],
  ['{ shell: { command: gh, subcommand: "pr merge" } }', 'gh pr --repo=a/b merge 12', 'yes'],
  ['{ shell: { command: gh, subcommand: "pr merge" } }', 'gh pr --web merge', 'maybe'],
  ['{ shell: { command: gh, subcommand: "pr merge" } }', 'gh pr -R a/b view merge', 'no'],
  ['{ shell: { command: gh, subcommand: "pr merge" } }', 'gh pr view --web', 'no'],
  ['{ shell: { command: git, subcommand: "remote add" } }', 'git remote -f add x y', 'maybe'],
  ['{ shell: { command: gh, subcommand: "pr merge" } }', `gh pr ${'-R a/b '.repeat(40)}merge`, 'maybe'],
  ['{ shell: { command: docker, subcommand: push } }', `docker run ${'-e A=b '.repeat(40)}alpine`, 'no'],
  ['{ shell: { command: npm, subcommand: "install *" } }', 'npm install --no-audit', 'no'],
  ['{ shell: { command: npm, subcommand: "install *" } }', 'npm install -D left-pad', 'maybe'],
  ['{ shell: { flag: --force } }', 'git push --force', 'yes'],
  ['{ shell: { flag: --force } }', 'git push --force=yes', 'yes'],
  ['{ shell: { flag: --force } }', 'git push --forc', 'maybe'],
  ['{ shell: { flag: --force } }', 'git push -- --force', 'no'],
  ['{ shell: { flag: --force } }', 'git push $FLAGS', 'maybe'],
  ['{ shell: { flag: --force } }', 'git push "$FLAGS"', 'maybe'],
  ['{ shell: { flag: --force } }', 'git push "x$Y"', 'no'],
  ['{ shell: { flag: --force } }', 'git push $X --force', 'maybe'],
  ['{ shell: { flag: --force } }', 'git push "x$Y" --force', 'yes'],
  ['{ shell: { flag: -f } }', 'rm -f x', 'yes'],
  ['{ shell: { flag: -r } }', 'rm -rf x', 'yes'],
  ['{ shell: { flag: -f } }', 'rm -rf x', 'maybe'],
  ['{ shell: { flag: -f } }', 'rm x-f', 'no'],
  ['{ shell: { flag: -delete } }', 'find . -delete', 'yes'],
  ['{ shell: { argument: "*" } }', 'ls', 'no'],
  ['{ shell: { argument: "*.env" } }', 'cat *.ts', 'no'],
  ['{ shell: { argument: "*.env" } }', 'cat *', 'maybe'],
])

const SRC = '{ path: "src/**" }'
const WRITTEN = '{ path: { glob: "src/**", access: write } }'
const linked: RuleOptions = {
  facts: {
    realpath: (path) =>
      path.replace('/srv/project/link', '/srv/project/src').replace('/tmp/p', '/srv/project'),
  },
}

table('path', [
  [SRC, toolCall('Read', { file_path: 'src/a.ts' }), 'yes'],
  [SRC, toolCall('Read', { file_path: '/srv/project/src/deep/er/a.ts' }), 'yes'],
  [SRC, toolCall('Read', { file_path: 'docs/../src/a.ts' }), 'yes'],
  [SRC, toolCall('Read', { file_path: 'srcs/a.ts' }), 'no'],
  [SRC, toolCall('Read', { file_path: '/elsewhere/src/a.ts' }), 'no'],
  [SRC, toolCall('Read', { file_path: 'link/a.ts' }), 'yes', linked],
  [SRC, toolCall('Read', { file_path: '/tmp/p/src/a.ts' }), 'yes', linked],
  [
    SRC,
    toolCall('Read', { file_path: '/srv/project/src/a.ts' }),
    'yes',
    { facts: { ...linked.facts, project: '/tmp/p' } },
  ],
  [SRC, 'cat src/a.ts', 'yes'],
  [SRC, 'cd src && cat a.ts', 'yes'],
  [SRC, 'cat ~/src/a.ts', 'no'],
  [SRC, 'cat $F', 'maybe'],
  [SRC, '$X src/a.ts', 'maybe'],
  [SRC, 'git $X src/a.ts', 'maybe'],
  [SRC, 'grep $X src/a.ts', 'maybe'],
  [SRC, 'cat "src/$F"', 'maybe'],
  [SRC, 'rm -rf src', 'yes'],
  [SRC, 'rm -rf .', 'maybe'],
  [SRC, 'grep -r x .', 'maybe'],
  [SRC, 'ls .', 'no'],
  [SRC, 'docker build .', 'maybe'],
  [SRC, 'docker build docs', 'no'],
  [SRC, 'eval "$X"', 'maybe'],
  [SRC, 'cat "unclosed', 'maybe'],
  [SRC, 'echo x > link/a.ts', 'yes', linked],
  [SRC, eventOf('Stop', { stopHookActive: false }), 'no'],
  ['{ path: "src/*" }', toolCall('Read', { file_path: 'src/a.ts' }), 'yes'],
  ['{ path: "src/*" }', toolCall('Read', { file_path: 'src/b/a.ts' }), 'no'],
  ['{ path: src }', toolCall('Read', { file_path: 'src/b/a.ts' }), 'yes'],
  ['{ path: src/ }', toolCall('Read', { file_path: 'src/b/a.ts' }), 'yes'],
  ['{ path: "**/*.env" }', toolCall('Read', { file_path: 'a/b/x.env' }), 'yes'],
  ['{ path: "**/*.env" }', toolCall('Read', { file_path: 'x.env' }), 'yes'],
  ['{ path: "**/*.env" }', 'cat $DIR/a.ts', 'no'],
  ['{ path: "**/*.env" }', 'cat $DIR/a.env', 'maybe'],
  ['{ path: "**/*.env" }', 'cat a/*', 'maybe'],
  ['{ path: "**/*.env" }', 'cat a/*.ts', 'no'],
  ['{ path: "**/*.env" }', 'grep -r x a', 'maybe'],
  ['{ path: "**/*.{env,pem}" }', toolCall('Read', { file_path: 'a/k.pem' }), 'yes'],
  ['{ path: "a/**/z" }', toolCall('Read', { file_path: 'a/z' }), 'yes'],
  ['{ path: "a/**/z" }', toolCall('Read', { file_path: 'a/b/c/z' }), 'yes'],
  ['{ path: "a/**/z" }', toolCall('Read', { file_path: 'a/b/c/y' }), 'no'],
  ['{ path: "~/.ssh/**" }', toolCall('Read', { file_path: '/home/dev/.ssh/id' }), 'yes'],
  ['{ path: "~/.ssh/**" }', 'cat ~/.ssh/id', 'yes'],
  // One name, in the two ways Unicode writes it.
  ['{ path: "caf\u00e9/**" }', toolCall('Read', { file_path: 'cafe\u0301/x' }), 'yes'],
  ['{ path: "cafe\u0301/**" }', toolCall('Read', { file_path: 'caf\u00e9/x' }), 'yes'],
  ['{ path: "**/*\u00e9.env" }', 'cat a/cafe\u0301.env', 'yes'],
  ['{ path: "**/*\u00e9.env" }', 'cat $DIR/cafe\u0301.env', 'maybe'],
  ['{ path: "caf[\u00e9]" }', 'cat cafe\u0301', 'yes'],
  ['{ cwd: "caf\u00e9" }', 'ls', 'yes', { facts: { cwd: '/srv/project/cafe\u0301' } }],
  ['{ path: "caf\u00e9/**" }', toolCall('Read', { file_path: 'cafe/x' }), 'no'],
  ['{ path: "/etc/**" }', 'cat /etc/passwd', 'yes'],
  ['{ path: ["a/**", "b/**"] }', 'cat b/x', 'yes'],
  ['{ path: "a/**|b/**" }', 'cat b/x', 'yes'],
  [WRITTEN, toolCall('Read', { file_path: 'src/a.ts' }), 'no'],
  [WRITTEN, toolCall('Edit', { file_path: 'src/a.ts' }), 'yes'],
  [WRITTEN, 'echo x > src/a.ts', 'yes'],
  [WRITTEN, 'cat src/a.ts', 'no'],
  [WRITTEN, 'rm src/a.ts', 'yes'],
  [WRITTEN, 'mkdir src/x', 'yes'],
  [WRITTEN, 'sed -i s/a/b/ src/a.ts', 'yes'],
  [WRITTEN, 'npx prettier --write src/a.ts', 'maybe'],
  [WRITTEN, 'grep -i x src/a.ts', 'no'],
  [WRITTEN, 'eval "$X"', 'maybe'],
  ['{ path: { glob: "src/**", access: read } }', toolCall('Grep', { pattern: 'x', path: 'src' }), 'yes'],
  ['{ path: { glob: "src/a/**", access: read } }', toolCall('Grep', { pattern: 'x', path: 'src' }), 'maybe'],
  ['{ path: { outside: "src/**", access: write } }', toolCall('Edit', { file_path: 'src/a.ts' }), 'no'],
  ['{ path: { outside: "src/**", access: write } }', toolCall('Edit', { file_path: 'a.ts' }), 'yes'],
  ['{ path: { outside: "src/**", access: write } }', 'echo x > src/a; echo y > b', 'yes'],
  ['{ path: { outside: "src/**", access: write } }', 'echo x > $F', 'maybe'],
  [
    '{ path: { outside: "src/**" } }',
    toolCall('Edit', { file_path: 'src/link' }),
    'yes',
    { facts: { realpath: (path) => path.replace('/srv/project/src/link', '/etc/x') } },
  ],
  [SRC, eventOf('FileChanged', { file: '/srv/project/src/a', change: 'update' }), 'yes'],
])

const WRITE = (input: object) => toolCall('Write', input as never)

table('input', [
  ['{ input: { file_path: "*.ts" } }', WRITE({ file_path: '/a/b.ts' }), 'yes'],
  ['{ input: { file_path: "*.ts" } }', WRITE({ file_path: '/a/b.tsx' }), 'no'],
  ['{ input: { file_path: "*.ts" } }', WRITE({}), 'no'],
  ['{ input: { file_path: ["*.ts", "*.js"] } }', WRITE({ file_path: 'b.js' }), 'yes'],
  ['{ input: { content: { regex: "TODO" } } }', WRITE({ content: 'a\nTODO b' }), 'yes'],
  ['{ input: { content: { regex: "(?i)todo" } } }', WRITE({ content: 'a\nTODO b' }), 'yes'],
  ['{ input: { content: { regex: "TODO" } } }', WRITE({ content: 'done' }), 'no'],
  ['{ input: { content: { regex: "TODO" } } }', WRITE({ content: [{ text: 'TODO' }] }), 'yes'],
  ['{ input: { timeout: { above: 100000 } } }', WRITE({ timeout: 100001 }), 'yes'],
  ['{ input: { timeout: { above: 100000 } } }', WRITE({ timeout: 100000 }), 'no'],
  ['{ input: { timeout: { above: 100000 } } }', WRITE({ timeout: '200000' }), 'yes'],
  ['{ input: { timeout: { above: 100000 } } }', WRITE({ timeout: 'long' }), 'maybe'],
  ['{ input: { timeout: { above: 1, below: 3 } } }', WRITE({ timeout: 2 }), 'yes'],
  ['{ input: { timeout: { above: 1, below: 3 } } }', WRITE({ timeout: 3 }), 'no'],
  ['{ input: { description: { equals: x } } }', WRITE({ description: 'x' }), 'yes'],
  ['{ input: { description: { equals: x } } }', WRITE({ description: 'xy' }), 'no'],
  ['{ input: { run_in_background: true } }', WRITE({ run_in_background: true }), 'yes'],
  ['{ input: { run_in_background: true } }', WRITE({ run_in_background: 'true' }), 'no'],
  ['{ input: { content: { longerThan: 3 } } }', WRITE({ content: 'abcd' }), 'yes'],
  ['{ input: { content: { longerThan: 3 } } }', WRITE({ content: 'abc' }), 'no'],
  ['{ input: { edits: { longerThan: 1 } } }', WRITE({ edits: [{}, {}] }), 'yes'],
  ['{ input: { edits: { shorterThan: 1 } } }', WRITE({ edits: {} }), 'yes'],
  ['{ input: { n: { longerThan: 1 } } }', WRITE({ n: 5 }), 'maybe'],
  [
    '{ input: { edits.new_string: "x*" } }',
    WRITE({ edits: [{ new_string: 'a' }, { new_string: 'xa' }] }),
    'yes',
  ],
  [
    '{ input: { edits.0.new_string: "x*" } }',
    WRITE({ edits: [{ new_string: 'a' }, { new_string: 'xa' }] }),
    'no',
  ],
  ['{ input: { a.b: x } }', WRITE({ a: { b: 'x' } }), 'yes'],
  ['{ input: { a.b: x } }', WRITE({ 'a.b': 'x' }), 'yes'],
  ['{ input: { constructor: { longerThan: 0 } } }', WRITE({}), 'no'],
  ['{ input: { a: x, b: y } }', WRITE({ a: 'x', b: 'y' }), 'yes'],
  ['{ input: { a: x, b: y } }', WRITE({ a: 'x', b: 'z' }), 'no'],
  ['{ input: { a: x } }', eventOf('Stop', { stopHookActive: false }), 'no'],
])

table('prompt and output', [
  ['{ prompt: { regex: "deploy" } }', eventOf('UserPromptSubmit', { prompt: 'please deploy' }), 'yes'],
  ['{ prompt: { regex: "deploy" } }', eventOf('UserPromptSubmit', { prompt: 'please' }), 'no'],
  [
    '{ output: "*failed*" }',
    eventOf('PostToolUse', { tool: { name: 'Bash', input: {} }, output: { stdout: '2 failed' } }),
    'yes',
  ],
  [
    '{ output: "*failed*" }',
    eventOf('PostToolUse', { tool: { name: 'Bash', input: {} }, output: null }),
    'no',
  ],
  ['{ output: "*failed*" }', eventOf('Stop', { stopHookActive: false, lastMessage: 'it failed' }), 'yes'],
  ['{ output: "*failed*" }', eventOf('Stop', { stopHookActive: false, lastMessage: 'done' }), 'no'],
  ['{ output: "*failed*" }', eventOf('Stop', { stopHookActive: false }), 'maybe'],
])

table('where and how the agent works', [
  ['{ permissionMode: bypassPermissions }', bash('ls', { permissionMode: 'bypassPermissions' }), 'yes'],
  ['{ permissionMode: bypassPermissions }', bash('ls', { permissionMode: 'default' }), 'no'],
  ['{ permissionMode: bypassPermissions }', 'ls', 'maybe'],
  ['{ branch: "main|release/*" }', 'ls', 'yes'],
  ['{ branch: "main|release/*" }', 'ls', 'yes', { facts: { branch: () => 'release/1' } }],
  ['{ branch: "main|release/*" }', 'ls', 'no', { facts: { branch: () => 'feature' } }],
  ['{ branch: "*" }', 'ls', 'no', { facts: { branch: () => undefined } }],
  ['{ cwd: "apps/**" }', 'ls', 'no'],
  ['{ cwd: "apps/**" }', 'ls', 'yes', { facts: { cwd: '/srv/project/apps/web' } }],
  ['{ cwd: "apps/**" }', 'ls', 'yes', { facts: { cwd: '/srv/project/apps' } }],
])

table('together', [
  ['{ branch: main, shell: { command: git } }', 'git push', 'yes'],
  ['{ branch: main, shell: { command: git } }', 'ls', 'no'],
  ['{ branch: main, shell: { command: git } }', '$X', 'maybe'],
  ['{ any: [{ branch: main }, { shell: { command: git } }] }', '$X', 'yes'],
  ['{ any: [{ branch: x }, { shell: { command: git } }] }', '$X', 'maybe'],
  ['{ all: [{ branch: main }, { not: { shell: { command: git } } }] }', 'ls', 'yes'],
  ['{ all: [{ branch: x }, { not: { shell: { command: git } } }] }', '$X', 'no'],
])

describe('an event seen before', () => {
  const SEEN = '{ seen: { match: Read, path: docs/DESIGN.md } }'
  it.each([
    [{}, 'no'],
    [{ 'rule/project/rule/seen-1': 'yes' }, 'yes'],
    [{ 'rule/project/rule/seen-1': 'maybe' }, 'maybe'],
    [{ 'rule/project/rule/seen-1': 42 }, 'maybe'],
    [undefined, 'state'],
  ])('with the memory %j: %s', async (memory, truth) => {
    expect(await truthOf(SEEN, bash('ls'), { memory })).toBe(truth)
  })
})

it('a link that is created later is seen by a rule that is already running', async () => {
  const runner = await create().prepare(ruleOf('when: { path: "src/**" }, deny: no'))
  if (typeof runner !== 'function') throw new Error('not prepared')
  const signal = new AbortController().signal
  const run = (realpath: (path: string) => string) => {
    const event = toolCall('Read', { file_path: 'moved/a.ts' })
    const facts = frozenFacts({ realpath })
    return runner({ event, actor: actorOf(event), facts, memory: {}, timeoutMs: 1_000, signal })
  }
  expect(run((path) => path)).toBeNull()
  expect(run((path) => path.replace('/srv/project/src', '/srv/project/moved'))).toMatchObject({
    effect: 'deny',
  })
})
