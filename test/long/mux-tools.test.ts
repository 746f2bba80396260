import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../e2e/command.ts'

/** `holdpoint mux`: the tools that an orchestrator and its agents share (R-000-63). */

let sandbox: Sandbox
beforeEach(() => {
  sandbox = createSandbox()
  mkdirSync(join(sandbox.project, '.git'))
})
afterEach(() => sandbox.remove())

const mux = (...args: string[]) =>
  sandbox.run(['mux', ...args], { env: { CLAUDE_CODE_SESSION_ID: 'session-4711' } })
const at = (path: string) => join(sandbox.project, path)
const read = (path: string) => readFileSync(at(path), 'utf8')

/** Creates a session with reports in it; returns its folder. */
async function session(...reports: string[]): Promise<string> {
  const { stdout } = await mux('session', 'Cats & Dogs')
  const dir = /SESSION_DIR=(.*)/.exec(stdout)?.[1] ?? ''
  for (const name of reports) sandbox.write(`${dir}/research/${name}.md`, reportOf(name))
  return dir
}

function reportOf(name: string): string {
  return `# ${name}\n\n## Table of Contents\n\n## Executive Summary\n\n- ${name} is done.\n\n## Next Steps\n\nNone.\n`
}

const signal = (dir: string, name: string, ...more: string[]) =>
  mux('signal', `${dir}/.signals/${name}.done`, '--path', `${dir}/research/${name}.md`, ...more)

describe('holdpoint mux session', () => {
  it('creates a folder named after the minute and the topic, and prints it', async () => {
    const { stdout, exitCode } = await mux('session', 'Cats & Dogs: crème brûlée!')
    expect(exitCode).toBe(0)
    const [, dir = '', trace = '', marker = ''] =
      /^SESSION_DIR=(.*)\nTRACE_ID=([0-9a-f]{16})\nMUX_ACTIVE=(.*)\n$/.exec(stdout) ?? []
    expect(dir).toMatch(/^tmp\/mux\/\d{8}-\d{4}-cats-dogs-creme-brulee$/)
    expect(readdirSync(at(dir)).sort()).toEqual(
      ['.agents', '.signals', '.trace', 'audits', 'consolidated', 'research', 'spy'].sort(),
    )
    expect(read(`${dir}/.trace`)).toBe(`${trace}\n`)
    expect(marker).toBe('outputs/session/session-4711/mux-active')
    expect(read(marker)).toBe(`${dir}\n`)
  })

  it('gives each of many calls at once a separate folder', async () => {
    const made = await Promise.all([1, 2, 3, 4].map(() => mux('session', 'same', '--json')))
    expect(new Set(made.map(({ stdout }) => JSON.parse(stdout).session_dir)).size).toBe(4)
  })

  it('starts from the root of the project, wherever it is run', async () => {
    mkdirSync(at('src/deep'), { recursive: true })
    const { stdout } = await sandbox.run(['mux', 'session', 'x', '--parent-trace', 'abc'], {
      cwd: at('src/deep'),
    })
    const dir = /SESSION_DIR=(.*)/.exec(stdout)?.[1] ?? ''
    expect(read(`${dir}/.trace`)).toMatch(/^[0-9a-f]{16}\nparent: abc\n$/)
  })

  it.each([['../elsewhere'], ['/tmp'], ['.']])('refuses the base %s', async (base) => {
    const { exitCode, stderr } = await mux('session', 'x', '--base', base)
    expect(exitCode).toBe(74)
    expect(stderr).toContain('is not inside the project')
  })

  it('refuses a topic without letters, and a link out of the project', async () => {
    expect((await mux('session', '../..')).stderr).toContain('no letter or digit')
    symlinkSync('/tmp', at('out'))
    expect((await mux('session', 'x', '--base', 'out/mux')).stderr).toContain('is not inside')
  })
})

describe('holdpoint mux signal', () => {
  it('writes the lines that other tools read, and looks up size and trace (R-000-59)', async () => {
    const dir = await session('a')
    const { stdout } = await signal(dir, 'a', '--version', '2', '--previous', 'old.done')
    expect(stdout).toBe(`SIGNAL=${dir}/.signals/a.done\n`)
    const trace = read(`${dir}/.trace`).trim()
    expect(read(`${dir}/.signals/a.done`)).toMatch(
      new RegExp(
        `^path: ${dir}/research/a.md\nsize: ${reportOf('a').length}\nstatus: success\ncreated_at: \\d{4}-.*Z\ntrace_id: ${trace}\nversion: 2\nprevious: old.done\n$`,
      ),
    )
    expect(readdirSync(at(`${dir}/.signals`))).toEqual(['a.done'])
  })

  it('adds the ending of the file, and writes each value on one line', async () => {
    const dir = await session()
    await signal(dir, 'a', '--status', 'fail', '--error', 'it\nbroke\nstatus: success')
    expect(read(`${dir}/.signals/a.fail`)).toContain('\nstatus: fail\n')
    expect(read(`${dir}/.signals/a.fail`)).toContain('\nerror: it broke status: success\n')
    expect(existsSync(at(`${dir}/.signals/a.done`))).toBe(false)
  })

  it('puts a signal into the folder of signals, with a warning', async () => {
    const dir = await session('a')
    const { stdout, stderr } = await mux('signal', `${dir}/research/a`, '--path', `${dir}/research/a.md`)
    expect(stdout).toBe(`SIGNAL=${dir}/.signals/a.done\n`)
    expect(stderr).toContain('warning: Signals belong in a folder')
  })

  it('replaces the earlier signal of the same agent', async () => {
    const dir = await session('a')
    await signal(dir, 'a', '--status', 'fail')
    await signal(dir, 'a')
    expect(readdirSync(at(`${dir}/.signals`))).toEqual(['a.done'])
  })

  it('writes a complete signal for one of two agents at once, and notifies the other', async () => {
    const dir = await session('a', 'b')
    const both = await Promise.all(
      ['a', 'b'].map((name) => mux('signal', `${dir}/.signals/x`, '--path', `${dir}/research/${name}.md`)),
    )
    expect(both.map(({ exitCode }) => exitCode).sort()).toEqual([0, 74])
    expect(both.map(({ stderr }) => stderr).join('')).toContain('already exists for another report')
    expect(read(`${dir}/.signals/x.done`)).toMatch(/^path: .*\nsize: \d+\nstatus: success\ncreated_at: .*\n/)
  })

  it.each([
    [['--size', 'large'], 64, '"large" is not a number'],
    [['--size', '-1'], 64, '"-1" is not a number'],
    [['--status', 'maybe'], 64, 'Allowed choices are success, fail'],
    [['--path', 'nowhere.md'], 64, 'nowhere.md does not exist'],
    [['--path', '../other.md'], 74, 'is not inside the project'],
    [['--path', ''], 64, 'The path is empty'],
    [['--status', 'fail', '--path', 'r.md\nstatus: success'], 64, 'The path has more than one line'],
  ])('refuses %j', async (more, code, words) => {
    const dir = await session('a')
    const { exitCode, stderr } = await signal(dir, 'a', ...more)
    expect(stderr).toContain(words)
    expect(exitCode).toBe(code)
    expect(readdirSync(at(`${dir}/.signals`))).toEqual([])
  })
})

it('holdpoint mux needs a name that other tools can find, and all required options', async () => {
  const dir = await session('a')
  expect(await signal(dir, '', '--path', `${dir}/research/a.md`)).toMatchObject({
    exitCode: 64,
    stderr: expect.stringContaining('no name'),
  })
  expect(readdirSync(at(`${dir}/.signals`))).toEqual([])
  expect(await mux('signal', `${dir}/.signals/a`)).toMatchObject({ exitCode: 64 })
  // Not 1: that would mean that agents are missing.
  expect(await mux('check-signals', dir)).toMatchObject({ exitCode: 64 })
})

it('holdpoint mux never waits for a pipe without a writer', async () => {
  const dir = await session('a')
  for (const path of ['research/p.md', '.signals/p.done', '.agents/p.json'])
    execFileSync('mkfifo', [at(`${dir}/${path}`)])
  sandbox.write(`${dir}/.signals/q.done`, `path: ${dir}/research/p.md\nsize: 1\nstatus: success\n`)
  expect(await mux('extract-summary', `${dir}/research/p.md`)).toMatchObject({ exitCode: 74 })
  expect((await mux('agents', 'list', dir)).stderr).toContain('.agents/p.json cannot be read')
  expect((await mux('audit', dir, '--phase', 'post')).stdout).toContain('p.md does not exist')
  expect((await mux('verify', dir, '--action', 'gate')).stdout).toContain('p.md does not exist')
})

describe('holdpoint mux verify', () => {
  it('prints each thing that it is asked for', async () => {
    const dir = await session('a', 'b')
    await signal(dir, 'a')
    await signal(dir, 'b')
    await signal(dir, 'c', '--status', 'fail', '--error', 'no network')
    const say = async (action: string, ...more: string[]) =>
      (await mux('verify', dir, '--action', action, ...more)).stdout
    const size = reportOf('a').length
    expect(await say('count')).toBe('2\n')
    expect(await say('failures')).toBe('c: no network\n')
    expect(await say('paths')).toBe(`${dir}/research/a.md\n${dir}/research/b.md\n`)
    expect(await say('sizes')).toBe(`${dir}/research/a.md: ${size}\n${dir}/research/b.md: ${size}\n`)
    expect(await say('total-size')).toBe(`${2 * size}\n`)
    expect(await say('summary')).toContain('complete: 2\nfailed: 1\n')
    expect(await say('missing', '--expected', '5')).toBe('2\n')
    expect(JSON.parse(await say('count', '--json'))).toEqual({ count: 2, complaints: [] })
    expect((await mux('verify')).stdout).toBe(await say('summary'))
  })

  it('reads files of other programs, and reports what is wrong with them', async () => {
    const dir = await session('a', 'b')
    const write = (name: string, text: string) => writeFileSync(at(`${dir}/${name}`), text)
    write(
      '.signals/json.done',
      JSON.stringify({
        path: `${dir}/research/a.md`,
        status: 'success',
        timestamp: '2026-01-31T09:00:00Z',
        agent_id: 'a1',
      }),
    )
    write('.signals/error.fail', JSON.stringify({ path: 'x.md', status: 'error', error: 'boom' }))
    write('.signals/nan.done', `path: ${dir}/research/b.md\nsize: huge\nstatus: success\n`)
    write('.signals/half.done', 'path: tmp/mux')
    write('.signals/empty.done', '')
    write('.signals/cut.done', '{"path": "x", "sta')
    write('.signals/being-written.done.123.tmp', 'path: x')
    write('research/lost.done', `path: ${dir}/research/b.md\nstatus: success\n`)
    write('.agents/not.done', 'path: x\nstatus: success\n')
    const { stdout, stderr } = await mux('verify', dir, 'paths')
    expect(stdout.trim().split('\n')).toHaveLength(3)
    expect(stderr).toContain('nan.done: its size "huge" is not a number')
    expect(stderr).toContain('half.done is ignored: it is incomplete: it has no status')
    expect(stderr).toContain('empty.done is ignored')
    expect(stderr).toContain('cut.done is ignored')
    expect(stderr).toContain('lost.done is not in .signals')
    expect(stderr).not.toContain('tmp counts')
    expect((await mux('verify', dir, 'failures')).stdout).toBe('error: boom\n')
  })

  it('passes only if all files exist and match their signals', async () => {
    const dir = await session('a', 'b')
    const gate = async (expected: string) => {
      const { stdout, exitCode } = await mux('verify', dir, 'gate', '--expected', expected)
      return [stdout.split('\n')[0], exitCode]
    }
    expect(await gate('2')).toEqual(['BLOCK', 1])
    await signal(dir, 'a')
    await signal(dir, 'b', '--status', 'fail')
    expect(await gate('2')).toEqual(['RECOVER', 1])
    await signal(dir, 'b')
    expect(await gate('2')).toEqual(['ADVANCE', 0])
    expect(await gate('3')).toEqual(['BLOCK', 1])
    sandbox.write(`${dir}/research/a.md`, 'something else')
    expect(await gate('2')).toEqual(['BLOCK', 1])
  })

  it.each([
    [['--action', 'everything'], 64, 'Allowed choices'],
    [['everything'], 64, 'Unknown action "everything"'],
    [['missing'], 64, 'needs the number of agents'],
    [['missing', '--expected', 'all'], 64, '"all" is not a number'],
  ])('refuses %j', async (more, code, words) => {
    const { exitCode, stderr } = await mux('verify', await session(), ...more)
    expect(stderr).toContain(words)
    expect(exitCode).toBe(code)
  })

  it('reports a session folder that is missing or not given', async () => {
    const dir = await session()
    rmSync(at(dir), { recursive: true })
    const gone = await mux('verify', dir)
    expect(gone.stderr).toContain(`The session folder ${dir} does not exist`)
    expect(gone.exitCode).toBe(74)
    const nobody = await sandbox.run(['mux', 'verify'], { env: { CLAUDE_CODE_SESSION_ID: 'session-1' } })
    expect(nobody.stderr).toContain('No session folder was named')
    expect(nobody.exitCode).toBe(64)
  })
})

describe('holdpoint mux check-signals', () => {
  it.each([
    [1, 0, 2, 'incomplete', 1],
    [1, 1, 2, 'partial', 1],
    [2, 0, 2, 'complete', 0],
    [0, 0, 0, 'complete', 0],
  ])('reports %i completed, %i failed of %i as %s', async (good, bad, expected, status, code) => {
    const names = ['a', 'b', 'c']
    const dir = await session(...names)
    for (const name of names.slice(0, good)) await signal(dir, name)
    for (const name of names.slice(good, good + bad)) await signal(dir, name, '--status', 'fail')
    const { stdout, exitCode } = await mux('check-signals', dir, '--expected', `${expected}`)
    expect(JSON.parse(stdout)).toEqual({
      complete: good,
      failed: bad,
      expected,
      status,
      checked_at: expect.any(String),
    })
    expect(exitCode).toBe(code)
  })
})

describe('holdpoint mux agents', () => {
  const register = (dir: string, id: string, ...more: string[]) =>
    mux('agents', 'register', dir, id, '--output-file', `${dir}/research/${id}.md`, ...more)

  it('registers and lists agents, with the state of their signals', async () => {
    const dir = await session('a', 'b')
    await register(dir, 'a', '--role', 'researcher', '--task-summary', 'look\nround')
    await register(dir, 'b')
    await register(dir, 'c')
    await signal(dir, 'a')
    await signal(dir, 'b', '--status', 'fail')
    expect((await mux('agents', 'list', dir)).stdout).toBe(
      ['a completed', 'b failed', 'c running']
        .map((line) => `${line} ${dir}/research/${line[0]}.md\n`)
        .join(''),
    )
    expect(JSON.parse((await mux('agents', 'get', dir, 'a')).stdout)).toEqual({
      agent_id: 'a',
      output_file: `${dir}/research/a.md`,
      model: 'sonnet',
      role: 'researcher',
      task_summary: 'look round',
      registered_at: expect.any(String),
      status: 'completed',
    })
    expect((await mux('agents', 'get', dir, 'z')).exitCode).toBe(66)
  })

  it('lists agents that ended without a signal as stopped', async () => {
    const dir = await session()
    await register(dir, 'a1')
    const about = { session_id: 's1', agent_id: 'a1', agent_type: 'general-purpose', cwd: sandbox.project }
    await sandbox.hook({ ...about, hook_event_name: 'SubagentStart' })
    const list = () => mux('agents', 'list', dir, '--session', 's1')
    expect((await list()).stdout).toContain('a1 running')
    await sandbox.hook({ ...about, hook_event_name: 'SubagentStop', stop_hook_active: false })
    expect((await list()).stdout).toContain('a1 stopped')
  })

  it('refuses a name that another agent has', async () => {
    const dir = await session()
    const twice = await Promise.all([register(dir, 'a'), register(dir, 'a')])
    expect(twice.map(({ exitCode }) => exitCode).sort()).toEqual([0, 74])
    expect((await register(dir, '../../x')).stderr).toContain('is not a valid agent name')
    writeFileSync(at(`${dir}/.agents/b.json`), '{"agent_id": ')
    const { stdout, stderr } = await mux('agents', 'list', dir)
    expect(stdout).toMatch(/^a running /)
    expect(stderr).toContain('.agents/b.json cannot be read')
  })
})

describe('holdpoint mux extract-summary', () => {
  const bytes = (text: string) => Buffer.byteLength(text)

  it('prints what a report is about', async () => {
    sandbox.write(
      'r.md',
      `# Cats\n\n\`\`\`sh\n# not a heading\n\`\`\`\n\n## Executive Summary\n\n- They sleep.\n\n### Detail\n\nA lot.\n\n## Next Steps\n\nLet them.\n`,
    )
    const { stdout } = await mux('extract-summary', 'r.md')
    expect(stdout).toBe(
      'File: r.md\nSize: 117 bytes, 23 words\nHeadings:\n- Cats\n  - Executive Summary\n    - Detail\n  - Next Steps\nExecutive Summary:\n- They sleep.\n\n### Detail\n\nA lot.\n',
    )
    expect(JSON.parse((await mux('extract-summary', 'r.md', '--json')).stdout)).toMatchObject({
      path: 'r.md',
      headings: ['Cats', 'Executive Summary', 'Detail', 'Next Steps'],
    })
  })

  it.each([
    ['long lines', 'word '.repeat(5_000)],
    ['letters of four bytes', '🐈'.repeat(2_000)],
    ['quotes and control characters', '"\\\u0001'.repeat(2_000)],
    ['many headings', '\n### '.concat('🐕 '.repeat(30)).repeat(200)],
  ])('never prints more than 1,024 bytes: %s', async (_name, text) => {
    sandbox.write('r.md', `# Title\n\n## Executive Summary\n\n${text}\n`)
    for (const more of [[], ['--json'], ['--max-bytes', '200'], ['--max-bytes', '99999']]) {
      const { stdout } = await mux('extract-summary', 'r.md', ...more)
      expect(bytes(stdout)).toBeLessThanOrEqual(more[1] === '200' ? 200 : 1_024)
      expect(stdout).not.toContain('\uFFFD')
      if (more[0] === '--json') JSON.parse(stdout)
    }
  })

  it('prints nothing of a file without a summary', async () => {
    sandbox.write('.env', 'TOKEN=abc\n')
    expect((await mux('extract-summary', '.env')).stdout).not.toContain('abc')
  })

  it('prints the evidence, also if there is none', async () => {
    sandbox.write('r.md', reportOf('a'))
    const evidence = JSON.parse((await mux('extract-summary', 'r.md', '--evidence')).stdout)
    expect(evidence).toEqual({
      report_path: 'r.md',
      found: true,
      size: reportOf('a').length,
      words: 17,
      mtime: expect.any(String),
      generated_at: expect.any(String),
    })
    const nothing = await mux('extract-summary', 'none.md', '--evidence')
    expect(JSON.parse(nothing.stdout)).toMatchObject({ found: false, size: 0 })
    expect(nothing.exitCode).toBe(1)
  })

  it.each([
    ['none.md', 'none.md does not exist'],
    ['.', 'is not inside'],
    ['/etc/hostname', 'is not inside'],
    ['.git', '.git does not exist'],
  ])('refuses %s', async (path, words) => {
    const { stderr, exitCode } = await mux('extract-summary', path)
    expect(stderr).toContain(words)
    expect(exitCode).toBe(74)
  })
})

describe('holdpoint mux deactivate', () => {
  const end = (...more: string[]) => mux('deactivate', '--session', 's1', ...more)

  it('ends the orchestration once, and is recorded', async () => {
    await session()
    await sandbox.run(['skill', 'start', 'mux', '--session', 's1'])
    expect((await end()).stdout).toBe('The orchestration has ended.\n')
    expect(existsSync(at('outputs/session/session-4711'))).toBe(false)
    expect(await end()).toMatchObject({ stdout: 'No orchestration was running.\n', exitCode: 0 })
    const { stdout } = await sandbox.run(['log', '--json'])
    expect(stdout.match(/MuxDeactivate/g)).toHaveLength(1)
  })

  it('refuses while an agent has not signalled', async () => {
    const dir = await session('a')
    await mux('agents', 'register', dir, 'a', '--output-file', `${dir}/research/a.md`)
    expect(await end()).toMatchObject({
      stderr: expect.stringContaining('is still running: a.'),
      exitCode: 74,
    })
    expect((await end('tmp/mux/elsewhere')).exitCode).toBe(74)
    expect(existsSync(at('outputs/session/session-4711/mux-active'))).toBe(true)
    await signal(dir, 'a')
    expect((await end()).exitCode).toBe(0)
  })

  it('refuses while the agent program runs a sub-agent', async () => {
    const about = { session_id: 's1', agent_id: 'a1', agent_type: 'helper', cwd: sandbox.project }
    await session()
    await sandbox.hook({ ...about, hook_event_name: 'SubagentStart' })
    expect((await end()).stderr).toContain('is still running: a1.')
    await sandbox.hook({ ...about, hook_event_name: 'SubagentStop', stop_hook_active: false })
    expect((await end()).exitCode).toBe(0)
  })

  it('works if the session folder is missing', async () => {
    rmSync(at(await session()), { recursive: true })
    expect((await end()).exitCode).toBe(0)
  })
})

describe('holdpoint mux audit', () => {
  it('reports before a session that nothing is enforced, and after it that nothing is wrong', async () => {
    const before = await mux('audit', '--phase', 'preflight')
    expect(before.stdout).toContain('CRITICAL preflight: The pack mux is off')
    expect(before.exitCode).toBe(1)
    const dir = await session('a')
    await signal(dir, 'a')
    expect(await mux('audit', dir, '--phase', 'post')).toMatchObject({
      stdout: 'No problems found.\n',
      exitCode: 0,
    })
  })

  it('finds what agents did not finish', async () => {
    const dir = await session('a', 'b')
    await signal(dir, 'a')
    await signal(dir, 'b')
    await mux('agents', 'register', dir, 'c', '--output-file', 'c.md')
    sandbox.write(`${dir}/research/a.md`, 'short')
    sandbox.write(`${dir}/research/b.md`, reportOf('b').replace('## Next Steps', '## What else'))
    writeFileSync(at(`${dir}/.signals/d.done`), 'path:')
    const { stdout, exitCode } = await mux('audit', dir, '--phase', 'post', '--json')
    const { findings } = JSON.parse(stdout)
    const severities = findings.map(({ severity }: { severity: string }) => severity)
    expect(severities).toEqual(['CRITICAL', 'CRITICAL', 'MEDIUM', 'MEDIUM', 'LOW', 'LOW'])
    expect(exitCode).toBe(1)
  })
})

describe('init --pack mux', () => {
  const user = () => ({ HOME: join(sandbox.folder, 'user') })
  const run = (...args: string[]) => sandbox.run([...args, '--home', sandbox.home], { env: user() })
  const uninstall = () => sandbox.person(['uninstall', '--yes', '--home', sandbox.home], user())
  const init = (...more: string[]) =>
    run('init', '--host', 'claude-code', '--pack', 'mux', '--scope', 'local', '--yes', ...more)
  const SKILL = '.claude/skills/mux/SKILL.md'

  it('installs the skills, whose hooks call Holdpoint, and removes them again', async () => {
    expect((await init()).stdout).toContain('mux and mux-subagent were written to')
    const files = [
      'mux/SKILL.md',
      'mux/agents/auditor.md',
      'mux/agents/researcher.md',
      'mux/agents/sentinel.md',
    ]
    for (const file of [...files, 'mux/cookbook/prompts.md', 'mux-subagent/SKILL.md']) {
      expect(read(`.claude/skills/${file}`)).not.toContain('{{')
    }
    expect(read(SKILL)).toContain("holdpoint-hook' 'claude-code' '--home'")
    const { stdout } = await run('mux', 'audit', '--phase', 'preflight')
    expect(stdout).toBe('No problems found.\n')
    expect(await run('lint', SKILL)).toMatchObject({ stdout: 'No problems found.\n', exitCode: 0 })
    await uninstall()
    expect(existsSync(at('.claude/skills'))).toBe(false)
    expect(existsSync(join(sandbox.home, 'skills.json'))).toBe(false)
  })

  it('keeps other files, and files that were changed', async () => {
    sandbox.write(SKILL, 'mine')
    const { stdout } = await init()
    expect(stdout).toContain('SKILL.md is your own file')
    expect(read(SKILL)).toBe('mine')
    sandbox.write('.claude/skills/mux-subagent/SKILL.md', 'changed')
    await init()
    expect(read('.claude/skills/mux-subagent/SKILL.md')).toBe('changed')
    expect((await uninstall()).stdout).toContain('was edited and was not removed')
    expect(read(SKILL)).toBe('mine')
    expect(read('.claude/skills/mux-subagent/SKILL.md')).toBe('changed')
    expect(existsSync(at('.claude/skills/mux/agents'))).toBe(false)
  })

  it('for a whole project contains no path of this machine', async () => {
    await init('--scope', 'project')
    expect(read(SKILL)).not.toContain(sandbox.folder)
    expect(read(SKILL)).toContain('CLAUDE_PROJECT_DIR')
  })
})
