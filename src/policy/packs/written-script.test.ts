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
