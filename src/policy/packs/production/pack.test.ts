import { describe, expect, it } from 'vitest'
import { type Guard, isGuardMatch } from '../../../core/guard.ts'
import { actorOf, bash, eventOf, frozenFacts, toolCall } from '../../../library/testing/events.ts'
import { guardContract } from '../guard.contract.ts'
import { commitHooks } from './commit-hooks.ts'
import { dryRun } from './dry-run.ts'
import { pack } from './pack.ts'
import { publicSharing } from './public-sharing.ts'

for (const guard of pack.guards) guardContract(guard)

async function stops(guard: Guard, event: ReturnType<typeof bash>, facts = frozenFacts()): Promise<boolean> {
  const outcome = await guard.check({ event, actor: actorOf(event), facts, options: {}, memory: undefined })
  return outcome !== null && isGuardMatch(outcome)
}

describe('the production guards', () => {
  it('stop writes during a dry run, and only then (R-000-47)', async () => {
    const files = { '/srv/project/outputs/session/session-1/status.yml': 'dry_run: true\n' }
    const write = toolCall('Write', { file_path: 'src/a.ts', content: 'x' })
    expect(await stops(dryRun, write, frozenFacts({ files }))).toBe(true)
    expect(await stops(dryRun, write)).toBe(false)
  })

  it('look for the status file by session id, then by the process of the agent, then for the whole project (R-000-47)', async () => {
    const at = (name: string, text: string) => ({ [`/srv/project/outputs/session/${name}/status.yml`]: text })
    const facts = (files: Record<string, string>) => frozenFacts({ files, env: { CLAUDE_PID: '42' } })
    const write = bash('touch a')
    expect(await stops(dryRun, write, facts(at('42', 'dry_run: true')))).toBe(true)
    expect(
      await stops(dryRun, write, facts({ ...at('42', 'dry_run: no'), ...at('shared', 'dry_run: yes') })),
    ).toBe(false)
    expect(
      await stops(dryRun, write, facts({ ...at('session-1', 'x: y'), ...at('42', 'dry_run: true') })),
    ).toBe(false)
    const climbing = eventOf('PreToolUse', { session: '..', tool: write.tool })
    expect(await stops(dryRun, climbing, facts({ '/srv/project/outputs/status.yml': 'dry_run: true' }))).toBe(
      false,
    )
  })

  it('pass the call if the dry-run guard itself fails (R-000-47)', () => {
    expect(dryRun.onFailure).toBe('pass')
  })

  it('stop a commit with --no-verify, but not a text about it (R-000-48)', async () => {
    expect(await stops(commitHooks, bash('git commit --no-verify -m x'))).toBe(true)
    expect(await stops(commitHooks, bash('git commit -m "why --no-verify is wrong"'))).toBe(false)
  })

  it('stop the creation of a public asset (R-000-49)', async () => {
    const anyone = toolCall('mcp__gsuite__share', { role: 'reader', type: 'anyone' })
    const somebody = toolCall('mcp__gsuite__share', { role: 'reader', type: 'user' })
    expect(await stops(publicSharing, anyone)).toBe(true)
    expect(await stops(publicSharing, somebody)).toBe(false)
  })
})
