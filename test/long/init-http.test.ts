import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRunning } from '../../src/library/testing/processes.ts'
import { call, createSandbox, type Sandbox } from '../e2e/command.ts'
import { installedPackage } from '../installed.ts'

/** `init --http`: hooks that call the daemon over HTTP, in the files of an agent that is not installed. */

let sandbox: Sandbox
let userHome: string
beforeEach(() => {
  sandbox = createSandbox()
  userHome = join(sandbox.folder, 'user')
  mkdirSync(userHome)
  agent('claude', '2.1.325')
})
afterEach(async () => {
  await run('daemon', 'stop')
  await sandbox.remove()
})

const run = (...args: string[]) => runWith({}, ...args)
const runWith = (env: Record<string, string>, ...args: string[]) =>
  sandbox.run([...args, '--home', sandbox.home], {
    env: { HOME: userHome, PATH: `${join(sandbox.folder, 'bin')}:${process.env.PATH}`, ...env },
  })
const person = (...args: string[]) => sandbox.person([...args, '--home', sandbox.home], { HOME: userHome })
const INIT = ['init', '--host', 'claude-code', '--pack', 'safety', '--yes', '--scope', 'user']
const init = (...args: string[]) => run(...INIT, ...args)
const settings = () => join(userHome, '.claude', 'settings.json')
const entry = (event: string, file = settings()) =>
  JSON.parse(readFileSync(file, 'utf8')).hooks[event][0].hooks[0]
const http = () => JSON.parse(readFileSync(join(sandbox.home, 'http.json'), 'utf8'))
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

function agent(name: string, version: string): void {
  mkdirSync(join(sandbox.folder, 'bin'), { recursive: true })
  const path = join(sandbox.folder, 'bin', name)
  writeFileSync(path, `#!/bin/sh\necho "${version}"\n`)
  chmodSync(path, 0o755)
}

/** The daemon and its supervisor. */
function pids(): readonly number[] {
  return readFileSync(join(sandbox.home, 'run', 'daemon.pid'), 'utf8')
    .trim()
    .split(' ')
    .map(Number)
}

async function until(done: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_200 && !done(); tries += 1) await new Promise((go) => setTimeout(go, 50))
  expect(done()).toBe(true)
}

/** Ends all processes and waits until they are gone, because the port is not free before. */
async function killAll(): Promise<void> {
  const both = pids()
  for (const pid of both.toReversed()) process.kill(pid, 'SIGKILL')
  await until(() => !both.some(isRunning))
}

/** Does what the agent does at an event, with an HTTP hook or a command hook. */
async function ask(
  event: string,
  payload: object,
  env: Record<string, string> = {},
): Promise<{ exitCode: number | null; body: string; stderr: string }> {
  const { type, url, headers, command, args } = entry(event)
  const input = JSON.stringify({ session_id: 's', cwd: sandbox.project, hook_event_name: event, ...payload })
  if (type === 'http') {
    const answer = await fetch(url, { method: 'POST', headers, body: input })
    return { exitCode: 0, body: await answer.text(), stderr: '' }
  }
  return started(command, args, input, {
    ...{ PATH: '/usr/bin:/bin', HOME: userHome, CLAUDE_PROJECT_DIR: sandbox.project },
    ...env,
  })
}

/** Not `spawnSync`, because some tests run another server on the port in this process. */
function started(
  command: string,
  args: readonly string[],
  input: string,
  env: Record<string, string>,
): Promise<{ exitCode: number | null; body: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env })
    let [body, stderr] = ['', '']
    child.stdout.on('data', (chunk) => {
      body += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.on('error', reject)
    child.on('close', (exitCode) => resolve({ exitCode, body, stderr }))
    child.stdin.end(input)
  })
}
const prompt = (env?: Record<string, string>) => ask('UserPromptSubmit', { prompt: 'go' }, env)

/** The files below the folder that contain this text. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name)
    return statSync(path).isFile() && readFileSync(path, 'latin1').includes(text)
  })
}

describe('init --http', () => {
  it('writes HTTP hooks where it can, a command hook where a turn begins, and proves each', async () => {
    const ran = await init('--http')
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('live 13 of 13 events') })
    const { hooks } = JSON.parse(readFileSync(settings(), 'utf8'))
    const types = Object.entries<[{ hooks: [{ type: string }] }]>(hooks).map(([event, [group]]) => [
      event,
      group.hooks[0].type,
    ])
    const started = types.filter(([, type]) => type === 'command').map(([event]) => event)
    expect(types).toHaveLength(13)
    expect(started).toEqual(['UserPromptSubmit', 'SessionStart', 'SessionEnd'])
    expect(entry('PreToolUse')).toEqual({
      type: 'http',
      url: expect.stringMatching(
        `^http://127.0.0.1:${http().port}/hook/claude-code\\?event=PreToolUse&on-failure=deny&deadline-ms=28000&by=holdpoint-hook-[0-9a-f]{16}$`,
      ),
      headers: { Authorization: `Bearer ${http().secret}` },
      timeout: 30,
      onFailure: 'block',
    })
    expect(entry('Stop').onFailure).toBeUndefined()
    const bash = (command: string) => ask('PreToolUse', call('Bash', { command }))
    expect(JSON.parse((await bash('git push --force')).body).hookSpecificOutput.permissionDecision).toBe(
      'deny',
    )
    expect(JSON.parse((await bash('ls')).body)).toEqual({})
  })

  it('keeps the secret in two private files, and out of all other output and files', async () => {
    mkdirSync(join(userHome, '.claude'))
    writeFileSync(settings(), '{"model": "opus"}\n')
    const said = [await init('--http')]
    const { secret, port } = http()
    await ask('PreToolUse', call('Bash', { command: 'ls' }))
    said.push(await init('--http'), await run('doctor'), await run('doctor', '--json'))
    said.push(await run('daemon', 'status'), await run('daemon', 'logs'), await run('log', '--json'))
    expect(said.map(({ exitCode }) => exitCode)).toEqual(said.map(() => 0))
    expect(said.map(({ stdout, stderr }) => stdout + stderr).join('')).not.toContain(secret)
    expect(http()).toMatchObject({ secret, port })
    expect(filesWith(sandbox.home, secret)).toEqual(['http.json'])
    expect(filesWith(userHome, secret)).toEqual(['.claude/settings.json'])
    expect(modeOf(settings())).toBe('600')
    expect(modeOf(join(sandbox.home, 'http.json'))).toBe('600')
    chmodSync(settings(), 0o644)
    sandbox.write('.claude/settings.json', '{"env": {"HTTP_PROXY": "x"}}')
    const { stdout, exitCode } = await run('doctor')
    expect(stdout).toContain(`chmod 600 ${settings()}`)
    expect(stdout).toContain('env.HTTP_PROXY can send')
    expect(exitCode).toBe(1)
  })

  it('is undone by init without --http: commands, no port, no supervisor, the previous mode', async () => {
    mkdirSync(join(userHome, '.claude'))
    writeFileSync(settings(), '{"model": "opus"}\n', { mode: 0o640 })
    await init()
    const commands = readFileSync(settings(), 'utf8')
    await init('--http')
    await init('--http')
    const before = pids()
    expect(before).toHaveLength(2)
    const ran = await init()
    expect(ran).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('the HTTP server was switched off'),
    })
    expect(readFileSync(settings(), 'utf8')).toBe(commands)
    expect(modeOf(settings())).toBe('640')
    expect(existsSync(join(sandbox.home, 'http.json'))).toBe(false)
    await until(() => !before.some(isRunning))
  })

  it('is completely removed by uninstall', async () => {
    mkdirSync(join(userHome, '.claude'))
    writeFileSync(settings(), '{"model": "opus"}\n', { mode: 0o644 })
    await init('--http')
    const before = pids()
    expect((await person('uninstall', '--yes')).exitCode).toBe(0)
    expect(readFileSync(settings(), 'utf8')).toBe('{"model": "opus"}\n')
    expect(modeOf(settings())).toBe('644')
    expect(readdirSync(join(userHome, '.claude'))).toEqual(['settings.json'])
    expect(existsSync(join(sandbox.home, 'http.json'))).toBe(false)
    await until(() => !before.some(isRunning))
  })

  it('keeps the port while another installation uses it', async () => {
    await init('--http')
    await run('init', '--host', 'claude-code', '--pack', 'safety', '--yes', '--scope', 'local', '--http')
    const { port } = http()
    await init()
    expect(http().port).toBe(port)
    expect(entry('PreToolUse', join(sandbox.project, '.claude', 'settings.local.json')).type).toBe('http')
    await person('uninstall', '--yes', '--scope', 'local')
    expect(existsSync(join(sandbox.home, 'http.json'))).toBe(false)
  })

  it('writes command hooks for an agent without HTTP hooks, and reports it', async () => {
    agent('codex', '0.166.0')
    const ran = await run('init', '--yes', '--scope', 'user', '--http')
    expect(ran.stdout).toContain('codex does not support HTTP hooks')
    expect(readFileSync(join(userHome, '.codex', 'hooks.json'), 'utf8')).not.toContain('http://')
    expect(entry('PreToolUse').type).toBe('http')
  })
})

describe('init --http changes nothing and refuses', () => {
  const git = (...args: string[]) => {
    const ran = spawnSync('git', args, { cwd: sandbox.project, encoding: 'utf8' })
    expect(ran.status, ran.stderr).toBe(0)
  }
  const local = () => join(sandbox.project, '.claude', 'settings.local.json')
  const inProject = (...args: string[]) =>
    run('init', '--host', 'claude-code', '--pack', 'safety', '--yes', '--http', '--scope', 'local', ...args)
  const refusedWith = async (ran: ReturnType<typeof init>, message: string) => {
    const { exitCode, stderr } = await ran
    expect(stderr).toContain(message)
    expect(stderr).toMatch(/nothing was changed/i)
    expect(exitCode).not.toBe(0)
    expect(existsSync(join(sandbox.home, 'http.json'))).toBe(false)
    expect(existsSync(settings())).toBe(false)
  }

  it.each(['2.1.294 (Claude Code)', '2.1.138', 'nightly'])('Claude Code %s', async (version) => {
    agent('claude', version)
    await refusedWith(init('--http'), '--http needs claude-code 2.1.295 or newer')
  })

  it('a program that is not installed', async () => {
    rmSync(join(sandbox.folder, 'bin', 'claude'))
    await refusedWith(init('--http'), 'it is not on PATH')
  })

  it('an agent without HTTP hooks', () =>
    refusedWith(
      run('init', '--host', 'codex', '--pack', 'safety', '--yes', '--http'),
      'codex does not support HTTP hooks',
    ))

  it('a settings file that is committed', () => refusedWith(inProject('--scope', 'project'), 'is committed'))

  it('an environment whose proxy would get the requests', () =>
    refusedWith(runWith({ https_proxy: 'http://proxy:3128' }, ...INIT, '--http'), 'https_proxy is set'))

  it('a file that git would add, until it is ignored', async () => {
    git('init', '--quiet')
    await refusedWith(inProject(), 'git does not ignore this file')
    expect(existsSync(local())).toBe(false)
    writeFileSync(join(sandbox.project, '.gitignore'), '.claude/settings.local.json\n')
    expect((await inProject()).exitCode).toBe(0)
    expect(entry('PreToolUse', local()).type).toBe('http')
    expect(modeOf(local())).toBe('600')
  })

  it('a file that git tracks although it is ignored', async () => {
    git('init', '--quiet')
    sandbox.write('.claude/settings.local.json', '{}')
    git('add', '.claude')
    writeFileSync(join(sandbox.project, '.gitignore'), '.claude/\n')
    await refusedWith(inProject(), 'git tracks this file')
    expect(readFileSync(local(), 'utf8')).toBe('{}')
  })

  it('a link into a repository of the user', async () => {
    git('init', '--quiet')
    sandbox.write('dotfiles/settings.json', '{}')
    mkdirSync(join(userHome, '.claude'))
    symlinkSync(join(sandbox.project, 'dotfiles', 'settings.json'), settings())
    const { stderr, exitCode } = await init('--http')
    expect(stderr).toContain('git does not ignore this file')
    expect(exitCode).not.toBe(0)
    expect(readFileSync(settings(), 'utf8')).toBe('{}')
  })
})

describe('at the start of a turn', () => {
  /** Each with the native client, and on a machine without one. */
  describe.each(['native', 'node'])('with the %s client', (client) => {
    beforeEach(async () => {
      await init('--http')
      if (client === 'native') return
      const program = join(sandbox.home, 'bin', 'holdpoint-hook')
      const hook = join(installedPackage(), 'dist', 'hook.cjs')
      writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${hook}' "$@"\n`)
    })

    it.each(['UserPromptSubmit', 'SessionStart'])('%s restarts the daemon', async (event) => {
      await killAll()
      await expect(ask('PreToolUse', call('Bash', { command: 'ls' }))).rejects.toThrow()
      expect((await ask(event, { prompt: 'go', source: 'startup' })).exitCode).toBe(0)
      const answer = await ask('PreToolUse', call('Bash', { command: 'git push --force' }))
      expect(answer.body).toContain('"permissionDecision":"deny"')
    })

    it('a prompt is blocked while another program has the port, which gets no secret', async () => {
      const { port, secret } = http()
      await killAll()
      await run('daemon', 'stop')
      const met: IncomingHttpHeaders[] = []
      const foreign = createServer((request, response) => {
        met.push(request.headers)
        response.end('{}')
      })
      await new Promise<void>((listening, failed) => {
        foreign.once('error', failed).listen(port, '127.0.0.1', listening)
      })
      try {
        for (const round of ['no daemon', 'a daemon without its http']) {
          const refused = await prompt()
          expect(refused, round).toMatchObject({
            exitCode: 2,
            stderr: expect.stringContaining(`Another program uses port ${port}`),
          })
          await run('daemon', 'start')
        }
        expect((await ask('SessionStart', { source: 'startup' })).exitCode).toBe(0)
        const examined = await run('doctor')
        expect(examined.exitCode).toBe(1)
        expect(examined.stdout).toContain(`Another program uses port ${port}`)
        expect((await init('--http')).stderr).toContain(`Another program uses port ${port}`)
      } finally {
        foreign.closeAllConnections()
        foreign.close()
      }
      expect(met.length).toBeGreaterThan(0)
      expect(JSON.stringify(met)).not.toContain(secret)
      expect((await prompt()).exitCode).toBe(0)
    })

    it('a prompt is blocked if a proxy would get the requests', async () => {
      for (const env of [
        { HTTP_PROXY: 'http://evil:1' },
        { all_proxy: 'http://evil:1', NO_PROXY: 'localhost' },
      ]) {
        expect(await prompt(env)).toMatchObject({
          exitCode: 2,
          stderr: expect.stringContaining('to a proxy'),
        })
      }
      expect((await prompt({ HTTP_PROXY: 'http://fine:1', NO_PROXY: 'localhost,127.0.0.1' })).exitCode).toBe(
        0,
      )
    })
  })

  it('the project is fixed for the turn, even if the agent changes its folder', async () => {
    await init('--http')
    sandbox.config('version: 1\npacks:\n  safety:\n    guards:\n      safety/git/force-push: deny\n')
    mkdirSync(join(sandbox.folder, 'elsewhere', '.git'), { recursive: true })
    await prompt()
    await ask(
      'PreToolUse',
      call('Bash', { command: 'ls' }, { cwd: join(sandbox.folder, 'elsewhere'), session_id: 's' }),
    )
    const { stdout } = await run('log', '--json', '--event', 'PreToolUse', '--session', 's')
    const projects = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).project)
    expect(projects).toEqual([sandbox.project])
  })
})

it('a hook without HTTP loads no network code', () => {
  const list = join(sandbox.folder, 'list.cjs')
  writeFileSync(
    list,
    "process.on('exit', () => require('fs').writeFileSync(process.env.LIST, process.moduleLoadList.join('\\n')))",
  )
  const hook = join(installedPackage(), 'dist', 'hook.cjs')
  const loaded = join(sandbox.folder, 'loaded')
  const payload = { session_id: 's', cwd: sandbox.project, hook_event_name: 'UserPromptSubmit', prompt: 'go' }
  const args = ['claude-code', '--home', sandbox.home, '--event', 'UserPromptSubmit', '--on-failure', 'deny']
  const ran = spawnSync(process.execPath, ['--require', list, hook, ...args], {
    env: { LIST: loaded },
    input: JSON.stringify(payload),
  })
  expect(ran.status).toBe(0)
  expect(readFileSync(loaded, 'utf8')).toContain('NativeModule fs')
  expect(readFileSync(loaded, 'utf8')).not.toMatch(/NativeModule (?:_?http\w*|child_process)$/m)
})
