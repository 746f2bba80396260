import { expect, it } from 'vitest'
import type { Answer } from '../../core/decision.ts'
import type { GuardMatch } from '../../core/guard.ts'
import type { JsonObject } from '../../core/json.ts'
import { actorOf, bash, frozenFacts, toolCall } from '../../library/testing/events.ts'
import { writtenScript } from './safety/shell/written-script.ts'

const KEY = 'holdpoint/note/written'

function check(
  event: ReturnType<typeof bash>,
  files: Readonly<Record<string, string>> = {},
  memory: JsonObject | undefined = {},
): GuardMatch | Answer | null | Promise<GuardMatch | Answer | null> {
  const facts = frozenFacts({ files })
  return writtenScript.check({ event, actor: actorOf(event), facts, options: {}, memory })
}

async function remembered(event: ReturnType<typeof bash>): Promise<readonly unknown[]> {
  const answer = (await check(event)) as Answer | null
  return (answer?.remember ?? []).map((patch) => ('value' in patch ? patch.value : undefined))
}

it.each<[string, readonly string[]]>([
  ['cp x.sh y.sh', ['/srv/project/y.sh']],
  ['mv x.sh z', ['/srv/project/z']],
  ['echo x > a; cat a | tee b', ['/srv/project/a', '/srv/project/b']],
  ['ln -s x.sh l', ['/srv/project/l']],
  ['curl -o x.sh https://example.com', ['/srv/project/x.sh']],
  [`python3 -c "open('x.sh', 'w').write('y')"`, ['/srv/project/x.sh']],
])('%s is remembered as written', async (command, paths) => {
  expect(await remembered(bash(command))).toEqual(expect.arrayContaining([...paths]))
})

it('remembers what a file tool writes, whatever its name', async () => {
  expect(
    await remembered(toolCall('mcp__fs__write_file', { path: '/srv/project/x.sh', content: 'x' })),
  ).toEqual(['/srv/project/x.sh'])
})

it('remembers a folder that an archive fills, but not the project', async () => {
  expect(await remembered(bash('tar xf a.tar -C /opt/out'))).toContain('/opt/out/')
  expect(await remembered(bash('tar xf a.tar'))).not.toContain('/srv/project/')
})

it('asks about a script that is longer than what is read', async () => {
  const files = { '/srv/project/x.sh': `rm -rf /\n${'#'.repeat(1_100_000)}` }
  const found = await check(bash('bash x.sh'), files, { [KEY]: ['/srv/project/x.sh'] })
  expect(found).toMatchObject({ unsure: expect.stringContaining('cannot be read') })
})

it('says nothing where the memory of the session is missing', async () => {
  expect(await check(bash('bash x.sh'), {}, undefined)).toBeNull()
})

it('names the file, the line and the guard', async () => {
  const files = { '/srv/project/x.sh': 'set -e\nnpm test\nrm -rf /\n' }
  const found = await check(bash('cp x.sh y; bash < y'), files, { [KEY]: ['/srv/project/x.sh'] })
  expect(found).toMatchObject({
    detail: { script: '/srv/project/x.sh', line: 3, caughtBy: 'safety/files/delete-root' },
  })
})

const WAITING = 'holdpoint/note/waiting'

it.each([
  bash('sleep 9; sh late.sh'),
  bash('while ! test -f late.sh; do sleep 1; done; . ./late.sh'),
  bash('nohup npx nodemon &'),
])('remembers a command that waits', async (event) => {
  const answer = (await check(event)) as Answer | null
  expect(answer?.remember?.map((patch) => patch.key)).toContain(WAITING)
})

it.each<[string, ReturnType<typeof bash>, string]>([
  [
    'a file tool',
    toolCall('Write', { file_path: '/srv/project/late.sh', content: 'rm -rf /\n' }),
    'sleep 9; sh late.sh',
  ],
  [
    'an edit',
    toolCall('Edit', { file_path: 'late.sh', old_string: 'x', new_string: 'rm -rf /' }),
    'sleep 9; sh late.sh',
  ],
  ['the shell', bash("cat > late.sh <<'E'\nrm -rf /\nE\n"), 'sleep 9; sh late.sh'],
  [
    'a patch',
    toolCall('apply_patch', { command: '*** Begin Patch\n*** Add File: late.sh\n+rm -rf /\n*** End Patch' }),
    'sleep 9; sh late.sh',
  ],
  [
    'code that a watcher runs',
    toolCall('Write', {
      file_path: '/srv/project/a.js',
      content: 'require("child_process").execSync("rm -rf /")',
    }),
    'npx nodemon &',
  ],
])('stops what a waiting command would run: %s', async (_name, event, command) => {
  const found = await check(event, {}, { [WAITING]: [command] })
  expect(found).toMatchObject({ caught: expect.stringContaining('running command') })
})

it.each<[string, ReturnType<typeof bash>, string]>([
  [
    'harmless text',
    toolCall('Write', { file_path: '/srv/project/late.sh', content: 'npm test\n' }),
    'sleep 9; sh late.sh',
  ],
  [
    'another file',
    toolCall('Write', { file_path: '/srv/project/other.sh', content: 'rm -rf /\n' }),
    'sleep 9; sh late.sh',
  ],
  ['a page', toolCall('Write', { file_path: '/srv/project/a.md', content: 'rm -rf /\n' }), 'npm run dev &'],
])('lets a waiting command have %s', async (_name, event, command) => {
  expect(await check(event, {}, { [WAITING]: [command] })).not.toMatchObject({ caught: expect.anything() })
})

it('asks about a script that another call is writing at the same time', async () => {
  const memory = { [KEY]: ['/srv/project/late.sh'] }
  expect(await check(bash('sleep 3; sh late.sh'), {}, memory)).toMatchObject({ unsure: expect.any(String) })
  expect(await check(bash('rm -f late.sh'), {}, memory)).not.toMatchObject({ caught: expect.anything() })
  expect(await check(bash('cat late.sh'), {}, memory)).not.toMatchObject({ caught: expect.anything() })
})
