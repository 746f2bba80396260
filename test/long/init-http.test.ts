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
import { isRunning } from '../../src/testing/processes.ts'
import { call, createWorld, type World } from '../e2e/command.ts'

/** `init --http`: hooks that ask the daemon, on the files of an agent that is not there. */

let world: World
let userHome: string
beforeEach(() => {
  world = createWorld()
  userHome = join(world.folder, 'user')
  mkdirSync(userHome)
  agent('claude', '2.1.325')
})
afterEach(async () => {
  await run('daemon', 'stop')
  world.remove()
})

const run = (...args: string[]) => runWith({}, ...args)
const runWith = (env: Record<string, string>, ...args: string[]) =>
  world.run([...args, '--home', world.home], {
    env: { HOME: userHome, PATH: `${join(world.folder, 'bin')}:${process.env.PATH}`, ...env },
  })
const INIT = ['init', '--host', 'claude-code', '--pack', 'safety', '--yes', '--scope', 'user']
const init = (...args: string[]) => run(...INIT, ...args)
const settings = () => join(userHome, '.claude', 'settings.json')
const entry = (event: string, file = settings()) =>
  JSON.parse(readFileSync(file, 'utf8')).hooks[event][0].hooks[0]
const http = () => JSON.parse(readFileSync(join(world.home, 'http.json'), 'utf8'))
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)

function agent(name: string, version: string): void {
  mkdirSync(join(world.folder, 'bin'), { recursive: true })
  const path = join(world.folder, 'bin', name)
  writeFileSync(path, `#!/bin/sh\necho "${version}"\n`)
  chmodSync(path, 0o755)
}

/** The daemon and its supervisor. */
function pids(): readonly number[] {
  return readFileSync(join(world.home, 'run', 'daemon.pid'), 'utf8')
    .trim()
    .split(' ')
    .map(Number)
}

async function until(done: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_200 && !done(); tries += 1) await new Promise((go) => setTimeout(go, 50))
  expect(done()).toBe(true)
}

/** Gone when it returns: until then the port is not free. */
async function killAll(): Promise<void> {
  const both = pids()
  for (const pid of both.toReversed()) process.kill(pid, 'SIGKILL')
  await until(() => !both.some(isRunning))
}

/** What an agent does at an event, whatever its entry is. */
async function ask(
  event: string,
  payload: object,
  env: Record<string, string> = {},
): Promise<{ exitCode: number | null; body: string; stderr: string }> {
  const { type, url, headers, command, args } = entry(event)
  const input = JSON.stringify({ session_id: 's', cwd: world.project, hook_event_name: event, ...payload })
  if (type === 'http') {
    const answer = await fetch(url, { method: 'POST', headers, body: input })
    return { exitCode: 0, body: await answer.text(), stderr: '' }
  }
  return started(command, args, input, {
    ...{ PATH: '/usr/bin:/bin', HOME: userHome, CLAUDE_PROJECT_DIR: world.project },
    ...env,
  })
}

/** Not `spawnSync`: some tests play the stranger on the port in this very process. */
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

/** The first text of every file below the folder that holds it. */
function filesWith(folder: string, text: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name)
    return statSync(path).isFile() && readFileSync(path, 'latin1').includes(text)
  })
}

describe('init --http', () => {
  it('asks over HTTP where it can, starts the command where a turn begins, and proves each', async () => {
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

  it('keeps the secret in two closed files, and out of everything that is said or kept', async () => {
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
    expect(filesWith(world.home, secret)).toEqual(['http.json'])
    expect(filesWith(userHome, secret)).toEqual(['.claude/settings.json'])
    expect(modeOf(settings())).toBe('600')
    expect(modeOf(join(world.home, 'http.json'))).toBe('600')
    chmodSync(settings(), 0o644)
    world.write('.claude/settings.json', '{"env": {"HTTP_PROXY": "x"}}')
    const { stdout, exitCode } = await run('doctor')
    expect(stdout).toContain(`chmod 600 ${settings()}`)
    expect(stdout).toContain('env.HTTP_PROXY can send')
    expect(exitCode).toBe(1)
  })

  it('without --http goes back: commands, no port, no supervisor, the mode of before', async () => {
    mkdirSync(join(userHome, '.claude'))
    writeFileSync(settings(), '{"model": "opus"}\n', { mode: 0o640 })
    await init()
    const commands = readFileSync(settings(), 'utf8')
    await init('--http')
    await init('--http')
    const before = pids()
    expect(before).toHaveLength(2)
    const ran = await init()
    expect(ran).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('the port is given up') })
    expect(readFileSync(settings(), 'utf8')).toBe(commands)
    expect(modeOf(settings())).toBe('640')
    expect(existsSync(join(world.home, 'http.json'))).toBe(false)
    await until(() => !before.some(isRunning))
  })

  it('is taken out whole', async () => {
    mkdirSync(join(userHome, '.claude'))
    writeFileSync(settings(), '{"model": "opus"}\n', { mode: 0o644 })
    await init('--http')
    const before = pids()
    expect((await run('uninstall', '--yes')).exitCode).toBe(0)
    expect(readFileSync(settings(), 'utf8')).toBe('{"model": "opus"}\n')
    expect(modeOf(settings())).toBe('644')
    expect(readdirSync(join(userHome, '.claude'))).toEqual(['settings.json'])
    expect(existsSync(join(world.home, 'http.json'))).toBe(false)
    await until(() => !before.some(isRunning))
  })

  it('keeps the port while another install asks there', async () => {
    await init('--http')
    await run('init', '--host', 'claude-code', '--pack', 'safety', '--yes', '--scope', 'local', '--http')
    const { port } = http()
    await init()
    expect(http().port).toBe(port)
    expect(entry('PreToolUse', join(world.project, '.claude', 'settings.local.json')).type).toBe('http')
    await run('uninstall', '--yes', '--scope', 'local')
    expect(existsSync(join(world.home, 'http.json'))).toBe(false)
  })

  it('gives an agent that cannot ask over HTTP the command, and says so', async () => {
    agent('codex', '0.166.0')
    const ran = await run('init', '--yes', '--scope', 'user', '--http')
    expect(ran.stdout).toContain('codex has no hooks over HTTP')
    expect(readFileSync(join(userHome, '.codex', 'hooks.json'), 'utf8')).not.toContain('http://')
    expect(entry('PreToolUse').type).toBe('http')
  })
})

describe('init --http refuses, and changes nothing', () => {
  const git = (...args: string[]) => {
    const ran = spawnSync('git', args, { cwd: world.project, encoding: 'utf8' })
    expect(ran.status, ran.stderr).toBe(0)
  }
  const local = () => join(world.project, '.claude', 'settings.local.json')
  const inProject = (...args: string[]) =>
    run('init', '--host', 'claude-code', '--pack', 'safety', '--yes', '--http', ...args)
  const refusedWith = async (ran: ReturnType<typeof init>, message: string) => {
    const { exitCode, stderr } = await ran
    expect(stderr).toContain(message)
    expect(stderr).toMatch(/nothing was changed/i)
    expect(exitCode).not.toBe(0)
    expect(existsSync(join(world.home, 'http.json'))).toBe(false)
    expect(existsSync(settings())).toBe(false)
  }

  it.each(['2.1.294 (Claude Code)', '2.1.138', 'nightly'])('Claude Code %s', async (version) => {
    agent('claude', version)
    await refusedWith(init('--http'), '--http needs claude-code 2.1.295 or newer')
  })

  it('a program that is not here', async () => {
    rmSync(join(world.folder, 'bin', 'claude'))
    await refusedWith(init('--http'), 'it is not on PATH')
  })

  it('an agent that cannot', () =>
    refusedWith(run('init', '--host', 'codex', '--pack', 'safety', '--yes', '--http'), 'codex cannot ask'))

  it('a file that is committed', () => refusedWith(inProject('--scope', 'project'), 'is committed'))

  it('a proxy that would be asked instead', () =>
    refusedWith(runWith({ https_proxy: 'http://proxy:3128' }, ...INIT, '--http'), 'https_proxy is set'))

  it('a file that git would take up, until it is ignored', async () => {
    git('init', '--quiet')
    await refusedWith(inProject(), 'git does not ignore this file')
    expect(existsSync(local())).toBe(false)
    writeFileSync(join(world.project, '.gitignore'), '.claude/settings.local.json\n')
    expect((await inProject()).exitCode).toBe(0)
    expect(entry('PreToolUse', local()).type).toBe('http')
    expect(modeOf(local())).toBe('600')
  })

  it('a file that git has, though it is ignored', async () => {
    git('init', '--quiet')
    world.write('.claude/settings.local.json', '{}')
    git('add', '.claude')
    writeFileSync(join(world.project, '.gitignore'), '.claude/\n')
    await refusedWith(inProject(), 'git tracks this file')
    expect(readFileSync(local(), 'utf8')).toBe('{}')
  })

  it("a link into a repository of the user's", async () => {
    git('init', '--quiet')
    world.write('dotfiles/settings.json', '{}')
    mkdirSync(join(userHome, '.claude'))
    symlinkSync(join(world.project, 'dotfiles', 'settings.json'), settings())
    const { stderr, exitCode } = await init('--http')
    expect(stderr).toContain('git does not ignore this file')
    expect(exitCode).not.toBe(0)
    expect(readFileSync(settings(), 'utf8')).toBe('{}')
  })
})

describe('the start of a turn', () => {
  /** Each as the native client does it, and as a machine without one. */
  describe.each(['native', 'node'])('with the %s client', (client) => {
    beforeEach(async () => {
      await init('--http')
      if (client === 'native') return
      const program = join(world.home, 'bin', 'holdpoint-hook')
      const hook = join(import.meta.dirname, '..', '..', 'dist', 'hook.cjs')
      writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${hook}' "$@"\n`)
    })

    it.each(['UserPromptSubmit', 'SessionStart'])('%s brings the daemon back', async (event) => {
      await killAll()
      await expect(ask('PreToolUse', call('Bash', { command: 'ls' }))).rejects.toThrow()
      expect((await ask(event, { prompt: 'go', source: 'startup' })).exitCode).toBe(0)
      const answer = await ask('PreToolUse', call('Bash', { command: 'git push --force' }))
      expect(answer.body).toContain('"permissionDecision":"deny"')
    })

    it('lets no prompt in while another program has the port, and sends it no secret', async () => {
      const { port, secret } = http()
      await killAll()
      await run('daemon', 'stop')
      const met: IncomingHttpHeaders[] = []
      const foreign = createServer((request, response) => {
        met.push(request.headers)
        response.end('{}')
      })
      await new Promise<void>((listening) => foreign.listen(port, '127.0.0.1', listening))
      try {
        for (const round of ['no daemon', 'a daemon without its door']) {
          const refused = await prompt()
          expect(refused, round).toMatchObject({
            exitCode: 2,
            stderr: expect.stringContaining(`Another program holds port ${port}`),
          })
          await run('daemon', 'start')
        }
        expect((await ask('SessionStart', { source: 'startup' })).exitCode).toBe(0)
        const examined = await run('doctor')
        expect(examined.exitCode).toBe(1)
        expect(examined.stdout).toContain(`Another program holds port ${port}`)
        expect((await init('--http')).stderr).toContain(`Another program holds port ${port}`)
      } finally {
        foreign.closeAllConnections()
        foreign.close()
      }
      expect(met.length).toBeGreaterThan(0)
      expect(JSON.stringify(met)).not.toContain(secret)
      expect((await prompt()).exitCode).toBe(0)
    })

    it('lets no prompt in when a proxy would be asked in our place', async () => {
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

  it('decides for the project it began in, wherever the agent goes', async () => {
    await init('--http')
    world.config('version: 1\npacks:\n  safety:\n    guards:\n      safety/git/force-push: deny\n')
    mkdirSync(join(world.folder, 'elsewhere', '.git'), { recursive: true })
    await prompt()
    await ask(
      'PreToolUse',
      call('Bash', { command: 'ls' }, { cwd: join(world.folder, 'elsewhere'), session_id: 's' }),
    )
    const { stdout } = await run('log', '--json', '--event', 'PreToolUse', '--session', 's')
    const projects = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).project)
    expect(projects).toEqual([world.project])
  })
})

it('a hook that needs no door loads nothing of the network', () => {
  const list = join(world.folder, 'list.cjs')
  writeFileSync(
    list,
    "process.on('exit', () => require('fs').writeFileSync(process.env.LIST, process.moduleLoadList.join('\\n')))",
  )
  const hook = join(import.meta.dirname, '..', '..', 'dist', 'hook.cjs')
  const loaded = join(world.folder, 'loaded')
  const payload = { session_id: 's', cwd: world.project, hook_event_name: 'UserPromptSubmit', prompt: 'go' }
  const args = ['claude-code', '--home', world.home, '--event', 'UserPromptSubmit', '--on-failure', 'deny']
  const ran = spawnSync(process.execPath, ['--require', list, hook, ...args], {
    env: { LIST: loaded },
    input: JSON.stringify(payload),
  })
  expect(ran.status).toBe(0)
  expect(readFileSync(loaded, 'utf8')).toContain('NativeModule fs')
  expect(readFileSync(loaded, 'utf8')).not.toMatch(/NativeModule (?:_?http\w*|child_process)$/m)
})
