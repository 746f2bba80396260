import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Answer, Failure, Patch } from '../../core/decision.ts'
import type { Event } from '../../core/event.ts'
import type { Hook } from '../../core/hook.ts'
import type { JsonObject } from '../../core/json.ts'
import { actorOf, eventOf } from '../../library/testing/events.ts'
import { hookOf } from '../../library/testing/hooks.ts'
import { areGone, pidsIn } from '../../library/testing/processes.ts'
import type { Contract, ContractRun } from '../../policy/completion/contract.ts'
import { liveFacts } from '../../system/live-facts.ts'
import { handlerContract } from '../handler.contract.ts'
import { create } from './handler.ts'

const handler = create({ guard: () => undefined, callable: () => undefined, searchPath: (path) => path })

let project: string
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'holdpoint-contract-'))
})
afterEach(() => rmSync(project, { recursive: true, force: true }))

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(project, path)), { recursive: true })
  writeFileSync(join(project, path), text)
}

function contractHook(
  contract: Partial<Contract>,
  more: Partial<Hook> & { part?: ContractRun['part'] } = {},
): Hook {
  const { part = 'judge', ...hook } = more
  const whole: Contract = { id: 'notes', files: [], messages: [], commands: [], blocks: 3, ...contract }
  const regexes = whole.messages.some((requirement) => 'pattern' in requirement)
  const root = project ?? '/'
  const run: ContractRun = {
    type: 'contract',
    part,
    key: 'contract/user/notes',
    contract: whole,
    root,
    regexes,
  }
  return hookOf({ id: 'notes', on: 'Stop', run, ...hook })
}

/** A session of one agent: its memory is available at its next event. */
function session(hook: Hook) {
  let memory: JsonObject | undefined = {}
  const apply = (patches: readonly Patch[]) => {
    for (const patch of patches) if (patch.op === 'set') memory = { ...memory, [patch.key]: patch.value }
  }
  return {
    forget: () => {
      memory = undefined
    },
    async meet(
      event: Event,
      options: { timeoutMs?: number; as?: Hook; env?: Record<string, string> } = {},
    ): Promise<Answer | Failure | null> {
      const runner = await handler.prepare(options.as ?? hook)
      if (typeof runner !== 'function') return runner
      const env = { PATH: process.env.PATH ?? '', ...options.env }
      const answer = await runner({
        event,
        actor: actorOf(event),
        facts: liveFacts({ cwd: project, home: '/home/dev', project, env }),
        memory,
        timeoutMs: options.timeoutMs ?? 20_000,
        signal: new AbortController().signal,
      })
      if (answer !== null && !('failure' in answer)) {
        apply((answer.effect === 'deny' ? answer.rememberDenied : answer.remember) ?? [])
      }
      return answer
    },
  }
}

const stop = (active = false, more: object = {}) => eventOf('Stop', { stopHookActive: active, ...more })
const subStop = (agentType: string | undefined, active = false) =>
  eventOf('SubagentStop', {
    agentId: 'a1',
    ...(agentType === undefined ? {} : { agentType }),
    stopHookActive: active,
  })
const command = (run: string, timeoutMs = 10_000) => ({ commands: [{ run, timeoutMs }] })
const denied = (reason: unknown) => ({ effect: 'deny', reason })

describe('the handler of contracts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-contract-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const pid = join(folder, 'pid')
  handlerContract({
    handler,
    denies: contractHook({ files: [{ path: 'nowhere/at-all.md' }] }),
    passes: contractHook({ files: [] }),
    breaks: contractHook({ files: [{ path: 7 as never }] }),
    missing: hookOf({ run: { type: 'contract', part: 'judge' } }),
    hangs: {
      hook: contractHook(command(`sleep 600 & echo $$ $! > ${pid}.part; mv ${pid}.part ${pid}; sleep 600`)),
      begun: () => existsSync(pid),
      gone: () => areGone(pidsIn(pid)),
    },
  })
  it('knows all parts of a contract', async () => {
    expect(
      await handler.prepare(hookOf({ run: { type: 'contract', part: 'x', contract: {} } })),
    ).toMatchObject({
      failure: 'import',
    })
  })
})

describe('a stop with a contract', () => {
  it('is blocked with everything that is missing, and allowed when it is done', async () => {
    const agent = session(contractHook({ files: [{ path: 'a.md' }, { path: 'b.md', headings: ['Sum'] }] }))
    write('b.md', 'x')
    expect(await agent.meet(stop())).toMatchObject(
      denied(
        [
          'You may not finish yet: the contract "notes" is not met. What is missing:',
          '- a.md does not exist.',
          '- b.md lacks the heading "Sum".',
          'Do this, then finish. (After 3 times you may stop, and the user sees what is missing.)',
        ].join('\n'),
      ),
    )
    write('a.md', 'x')
    write('b.md', '# Sum')
    expect(await agent.meet(stop(true))).toMatchObject({ effect: 'pass' })
    expect(await agent.meet(stop())).toBeNull()
  })

  it('is allowed after the configured number of blocks', async () => {
    const agent = session(contractHook({ files: [{ path: 'a.md' }], blocks: 2 }))
    expect(await agent.meet(stop())).toMatchObject({ effect: 'deny' })
    expect(await agent.meet(stop(true))).toMatchObject({ effect: 'deny' })
    expect(await agent.meet(stop(true))).toMatchObject({
      effect: 'pass',
      notices: [
        expect.stringContaining(
          'The agent was held 2 times, then allowed to stop, although this is missing: a.md',
        ),
      ],
    })
  })

  it('of a compaction, which is not an agent, is ignored', async () => {
    expect(await session(contractHook({ files: [{ path: 'a.md' }] })).meet(subStop(undefined))).toBeNull()
  })

  it('of an agent whose name cannot be a folder name is allowed, and the user is notified', async () => {
    const agent = session(contractHook({ files: [{ path: '{agent_type}.md' }] }))
    expect(await agent.meet(subStop('../x y'))).toEqual({
      effect: 'pass',
      notices: ['Contract notes cannot be judged: "../x y" cannot be the name of a folder.'],
    })
    const nobody = session(contractHook({ files: [{ path: '{session}.md' }] }))
    expect(await nobody.meet({ ...stop(), session: '' })).toMatchObject({ effect: 'pass' })
  })

  it('asks for a line by regex', async () => {
    const agent = session(contractHook({ messages: [{ pattern: '^DONE: \\d+$' }] }))
    expect(await agent.meet(stop(false, { lastMessage: 'DONE: x' }))).toMatchObject({ effect: 'deny' })
    expect(await agent.meet(stop(true, { lastMessage: 'DONE: 7' }))).toMatchObject({ effect: 'pass' })
  })
})

describe('a contract remembers', () => {
  it('the start: its date counts after midnight, and files must be newer', async () => {
    const files = [{ path: 'notes/{date}.md', fresh: true }]
    const agent = session(contractHook({ files }))
    const begin = contractHook({ files }, { part: 'begin' })
    await agent.meet(eventOf('SessionStart', { source: 'startup' }), { as: begin })
    const today = new Date()
    const date = [today.getFullYear(), today.getMonth() + 1, today.getDate()].map((n) =>
      String(n).padStart(2, '0'),
    )
    write(`notes/${date.join('-')}.md`, 'x')
    expect(await agent.meet(stop())).toBeNull()
    expect(await agent.meet(eventOf('SessionStart', { source: 'compact' }), { as: begin })).toBeNull()
    expect(await agent.meet(eventOf('SessionStart', { source: 'resume' }), { as: begin })).not.toBeNull()
  })

  it('delegation, if it depends on it', async () => {
    const contract = { files: [{ path: 'a.md' }], when: { kind: 'delegated' } } as const
    const agent = session(contractHook(contract))
    expect(await agent.meet(stop())).toBeNull()
    const call = eventOf('PostToolUse', { tool: { name: 'Agent', input: {} }, output: null })
    expect(await agent.meet(call, { as: contractHook(contract, { part: 'delegated' }) })).toMatchObject({
      effect: 'pass',
    })
    expect(await agent.meet(stop())).toMatchObject({ effect: 'deny' })
  })

  it('nothing if there is no session', async () => {
    const hook = contractHook({ files: [{ path: 'a.md' }] }, { part: 'begin' })
    const agent = session(hook)
    agent.forget()
    expect(await agent.meet(eventOf('SessionStart', { source: 'startup' }))).toBeNull()
    const told = await agent.meet(eventOf('SubagentStart', { agentId: 'a1', agentType: 'writer' }), {
      as: contractHook({ files: [{ path: 'a.md' }] }, { part: 'tell' }),
    })
    expect(told).not.toHaveProperty('remember')
  })
})

describe('a start with a contract', () => {
  const start = (agentType: string) => eventOf('SubagentStart', { agentId: 'a1', agentType })

  it('informs the agent which files it must write', async () => {
    const tells = contractHook({ files: [{ path: 'notes/{agent_type}.md' }] }, { part: 'tell' })
    expect(await session(tells).meet(start('plugin:writer'))).toMatchObject({
      effect: 'pass',
      context: [{ to: 'self', text: expect.stringContaining('The file notes/plugin-writer.md.') }],
      remember: [{ key: 'contracts/began' }],
    })
    expect(await session(tells).meet(start('a b'))).toMatchObject({ notices: [expect.any(String)] })
  })

  it('does not inform the agent if the file is not trusted', async () => {
    const tells = contractHook({ files: [{ path: 'a.md' }] }, { part: 'tell', trusted: false })
    expect(await session(tells).meet(start('writer'))).toMatchObject({ failure: 'untrusted' })
  })
})

describe('a command of a contract', () => {
  it('blocks the stop with its last output while it fails', async () => {
    const agent = session(contractHook(command('echo fine; echo broken >&2; test -e fixed')))
    expect(await agent.meet(stop())).toMatchObject(
      denied(
        expect.stringContaining(
          '- `echo fine; echo broken >&2; test -e fixed` must succeed: it exited with code 1. Last output:\n    fine\n    broken\n',
        ),
      ),
    )
    write('fixed', '')
    expect(await agent.meet(stop(true))).toMatchObject({ effect: 'pass' })
  })

  it('that hangs is killed at its own limit, with everything it started', async () => {
    const agent = session(contractHook(command('sleep 600 & echo $$ $! > pid; echo begun; sleep 600', 1_000)))
    expect(await agent.meet(stop())).toMatchObject(
      denied(expect.stringMatching(/it was stopped after 1 s, its time limit\. Last output:\n {4}begun\n/)),
    )
    expect(await areGone(pidsIn(join(project, 'pid')))).toBe(true)
  })

  it('that takes longer than the event is killed in time for the answer, which says so', async () => {
    const hook = contractHook({
      commands: [
        { run: 'sleep 600', timeoutMs: 60_000 },
        { run: 'true', timeoutMs: 1_000 },
      ],
    })
    const answer = await session(hook).meet(stop(), { timeoutMs: 1_500 })
    expect(answer).toMatchObject(
      denied(expect.stringContaining('because the host does not wait longer for one answer')),
    )
    expect(answer).toMatchObject(
      denied(expect.stringContaining('`true` must succeed: there was no time left')),
    )
  })

  it('that prints a lot is read to its end, and only the end is shown', async () => {
    const agent = session(contractHook(command('yes | head -c 50000000; echo the end; exit 3')))
    const answer = (await agent.meet(stop())) as Answer
    expect(answer.reason).toContain('exited with code 3')
    expect(answer.reason).toContain('the end')
    expect(answer.reason?.length).toBeLessThan(4_000)
  })

  it.each([
    ['kill -9 $$', 'was ended by SIGKILL'],
    ['kill -9 -$$', 'was ended by SIGKILL'],
    ['no-such-program-here', 'exited with code 127'],
  ])('that ends itself (%s) counts as failed', async (run, how) => {
    expect(await session(contractHook(command(run))).meet(stop())).toMatchObject(
      denied(expect.stringContaining(how)),
    )
  })

  it('gets an empty standard input', async () => {
    expect(await session(contractHook(command('test -z "$(cat)"'))).meet(stop())).toBeNull()
  })

  it('that cannot be started counts as failed', async () => {
    const hook = contractHook(command('true'))
    const elsewhere = { ...hook, run: { ...hook.run, root: '/dev/null/nowhere' } }
    expect(await session(elsewhere).meet(stop())).toMatchObject(
      denied(expect.stringContaining('could not be started')),
    )
  })

  it('that is not trusted does not run, and the answer says what to do', async () => {
    const hook = contractHook(command('touch ran'), { trusted: false })
    expect(await session(hook).meet(stop())).toMatchObject(
      denied(expect.stringContaining('run `holdpoint trust`')),
    )
    expect(existsSync(join(project, 'ran'))).toBe(false)
  })

  it('runs in the folder of the project', async () => {
    const line = `[ "$PWD" = "${project}" ] && [ "$CLAUDE_PROJECT_DIR" = "${project}" ]`
    expect(await session(contractHook(command(line))).meet(stop())).toBeNull()
  })
})

it('a command of a user’s own policy runs in the project', async () => {
  const { root: _root, ...run } = contractHook(command('touch here')).run as { root: string; type: string }
  expect(await session(hookOf({ on: 'Stop', run })).meet(stop())).toBeNull()
  expect(existsSync(join(project, 'here'))).toBe(true)
})

describe('the result of a command of a contract', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=dev', '-c', 'user.email=dev@example.com', ...args], {
      cwd: project,
    })
  const runs = () => readFileSync(join(project, 'ignored/runs'), 'utf8').split('\n').length - 1
  beforeEach(() => {
    git('init', '-q')
    write('.gitignore', 'ignored\n')
    write('ignored/keep', '')
    write('a file.ts', '1')
    git('add', '-A')
    git('commit', '-qm', 'first')
  })

  it('is reused while the files are the same', async () => {
    const agent = session(contractHook(command('echo x >> ignored/runs')))
    for (let i = 0; i < 3; i += 1) await agent.meet(stop())
    expect(runs()).toBe(1)
  })

  it.each([
    ['a file is changed', () => write('a file.ts', '2')],
    ['a file is new', () => write('new.ts', '')],
    ['a file is gone', () => rmSync(join(project, 'a file.ts'))],
    ['something is committed', () => git('commit', '-q', '--allow-empty', '-m', 'second')],
    ['a file is renamed', () => git('mv', 'a file.ts', 'b file.ts')],
  ])('is not reused once %s', async (_what, change) => {
    const agent = session(contractHook(command('echo x >> ignored/runs')))
    await agent.meet(stop())
    change()
    await agent.meet(stop())
    expect(runs()).toBe(2)
    await agent.meet(stop())
    expect(runs()).toBe(2)
  })

  it('is not reused when a changed file is changed again', async () => {
    const agent = session(contractHook(command('echo x >> ignored/runs')))
    write('a file.ts', '2')
    await agent.meet(stop())
    write('a file.ts', '33')
    await agent.meet(stop())
    expect(runs()).toBe(2)
  })

  it('is not reused if it failed, because the cause may be elsewhere', async () => {
    const agent = session(contractHook(command('echo x >> ignored/runs; test -e ignored/fixed')))
    expect(await agent.meet(stop())).toMatchObject({ effect: 'deny' })
    write('ignored/fixed', '')
    expect(await agent.meet(stop(true))).toMatchObject({ effect: 'pass' })
    expect(runs()).toBe(2)
  })

  it('is not reused if files changed in the meantime, because those were not tested', async () => {
    const agent = session(contractHook(command('echo x >> ignored/runs; date +%N > "a file.ts"')))
    await agent.meet(stop())
    await agent.meet(stop())
    expect(runs()).toBe(2)
  })

  it('is kept if another command failed', async () => {
    const commands = [
      { run: 'echo x >> ignored/runs', timeoutMs: 9_000 },
      { run: 'test -e ignored/fixed', timeoutMs: 9_000 },
    ]
    const agent = session(contractHook({ commands }))
    expect(await agent.meet(stop())).toMatchObject({ effect: 'deny' })
    write('ignored/fixed', '')
    expect(await agent.meet(stop(true))).toMatchObject({ effect: 'pass' })
    expect(runs()).toBe(1)
  })

  it('belongs to this repository, whatever the environment says', async () => {
    const agent = session(contractHook(command('echo x >> ignored/runs')))
    const env = { GIT_DIR: '/nowhere' }
    await agent.meet(stop(), { env })
    await agent.meet(stop(), { env })
    expect(runs()).toBe(1)
  })
})

it('without a repository every stop runs the command', async () => {
  const agent = session(contractHook(command('echo x >> runs')))
  await agent.meet(stop())
  await agent.meet(stop())
  expect(readFileSync(join(project, 'runs'), 'utf8')).toBe('x\nx\n')
})
