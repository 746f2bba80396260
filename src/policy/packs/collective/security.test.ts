import { beforeAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../app/create-engine.ts'
import { evaluate } from '../../../core/engine/evaluate.ts'
import type { Engine } from '../../../core/engine/run-hooks.ts'
import type { Event } from '../../../core/event.ts'
import { buildPlan } from '../../../handlers/plan.ts'
import { host } from '../../../hosts/collective/host.ts'
import { actorOf, bash, frozenFacts, toolCall } from '../../../library/testing/events.ts'
import { pack } from './pack.ts'

/** What the pack stops before a call, with the texts of the collective. */

let engine: Engine
beforeAll(async () => {
  const on = { pack: pack.id, options: {}, origin: { file: 'test' } }
  const layer = { rank: 'user', file: 'test', trusted: true, hooks: [], settings: {}, problems: [] } as const
  engine = await createEngine(buildPlan([{ ...layer, packs: [on] }], new Map([[pack.id, pack]])))
})

async function judge(event: Event) {
  const around = { actor: actorOf(event), facts: frozenFacts(), memory: {}, budgetMs: 60_000 }
  const decision = await evaluate(engine, event, { ...around, now: () => performance.now() })
  const { stdout, stderr } = host.encode(decision, event)
  return { because: decision.because, answer: JSON.parse(stdout), stderr }
}

const ALLOWED = { because: [], answer: { decision: 'allow' }, stderr: '' }

describe('dangerous commands are blocked, all others allowed (R-002-09, R-002-65)', () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    [
      'R-002-60',
      'rm-rf',
      ['rm -rf build', 'rm -fr a b', 'rm -r -f build', 'cd web && rm -rf sites'],
      ['rm build.log', 'rm -r build', 'echo rm -rf build', 'rmdir build'],
    ],
    [
      'R-002-61',
      'sudo-rm',
      ['sudo rm notes.md', 'sudo -u root rm notes.md', 'ls && sudo rm notes.md'],
      ['sudo ls', 'rm notes.md', 'echo sudo rm notes.md'],
    ],
    [
      'R-002-62',
      'climbing',
      ['cat ../../../etc/passwd', 'cd ../../..', 'ls ../../../../x', 'cp a ../../../b'],
      ['cat ../../README.md', 'cd ..', 'echo ../../..'],
    ],
    [
      'R-002-63',
      'system-call',
      [`perl -e 'system("ls")'`, `php -r 'system("ls");'`, `python3 -c 'import os; os.system("ls")'`],
      [`echo 'system("ls")'`, `grep -rn 'system("' src`, 'systemctl status'],
    ],
    [
      'R-002-64',
      'exec-call',
      [`php -r 'exec("ls");'`, `python3 -c 'exec("print(1)")'`, `node -e 'exec("ls")'`],
      [`echo 'exec("ls")'`, `grep -rn 'exec(' src`, 'docker exec web ls'],
    ],
    [
      'R-002-66',
      'force-push',
      ['git push --force', 'git push -f origin main', 'git push origin +main'],
      ['git push', 'git push --force-with-lease', 'echo git push --force'],
    ],
  ])('%s: %s', async (_id, rule, dangerous, harmless) => {
    const guard = `collective/block-destructive-commands/${rule}`
    for (const command of dangerous) {
      const { because, answer, stderr } = await judge(bash(command))
      expect([command, because]).toEqual([command, expect.arrayContaining([guard])])
      expect(answer).toEqual({ decision: 'block', reason: expect.stringContaining(`[${guard}]`) })
      expect(stderr).toContain(answer.reason)
    }
    for (const command of harmless) expect([command, await judge(bash(command))]).toEqual([command, ALLOWED])
  })
})

const tools: readonly [string, (path: string) => Event][] = [
  ['Read', (path) => toolCall('Read', { file_path: path })],
  ['Grep', (path) => toolCall('Grep', { pattern: 'KEY', path })],
]

describe('sensitive files are blocked, all others allowed (R-002-71)', () => {
  it.each<[string, string, readonly string[], readonly string[]]>([
    [
      'R-002-10',
      '.env, settings.php and credentials',
      ['.env', 'web/sites/default/settings.php', 'config/credentials.json', '/home/dev/.netrc'],
      ['README.md', 'src/credentials.ts'],
    ],
    [
      'R-002-67',
      '.env and .env.*',
      ['.env', 'apps/web/.env', '.env.local', '/srv/project/.env.production'],
      ['src/env.ts', 'docs/env.md'],
    ],
    [
      'R-002-68',
      'settings.php',
      ['settings.php', 'web/sites/default/settings.php', '/srv/project/web/sites/shop/settings.php'],
      ['docs/settings.md', 'src/Settings.ts'],
    ],
    [
      'R-002-69',
      '*.key and *.pem',
      ['server.key', 'certs/server.key', 'private.pem', '/etc/ssl/fullchain.pem'],
      ['keys.md', 'src/pem.ts'],
    ],
    [
      'R-002-70',
      'SSH keys',
      ['/home/dev/.ssh/id_rsa', '~/.ssh/id_ed25519', 'id_ecdsa', '/home/dev/.ssh/deploy'],
      ['/home/dev/.ssh/known_hosts', '/home/dev/.ssh/id_rsa.pub'],
    ],
  ])('%s: %s', async (_id, _what, sensitive, plain) => {
    for (const [tool, call] of tools) {
      for (const path of sensitive) {
        const { because, answer } = await judge(call(path))
        expect([tool, path, because]).toEqual([tool, path, ['collective/block-sensitive-files']])
        expect(answer).toEqual({ decision: 'block', reason: expect.stringContaining(path) })
      }
      for (const path of plain) expect([path, await judge(call(path))]).toEqual([path, ALLOWED])
    }
  })

  it('only for Read and Grep (R-002-72)', async () => {
    for (const [, call] of tools) expect((await judge(call('.env'))).answer.decision).toBe('block')
    const others = [
      toolCall('Write', { file_path: '.env', content: 'x' }),
      toolCall('Edit', { file_path: '.env', old_string: 'a', new_string: 'b' }),
      toolCall('Glob', { pattern: '**/.env' }),
      toolCall('mcp__files__read', { path: '.env' }),
      bash('cat .env'),
    ]
    for (const event of others) expect(await judge(event)).toEqual(ALLOWED)
  })
})
