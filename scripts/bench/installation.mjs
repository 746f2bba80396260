import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { builtModule } from '../built-module.mjs'
import { installPackage } from './installed-package.mjs'

export const HARMLESS = 'git status && ls -la'
export const DENIED = 'bash -c "git push --force origin main"'
/** @typedef {Awaited<ReturnType<typeof openInstallation>>} Installation */
/** @typedef {{ readonly session?: string, readonly use?: string }} CallIds */
/** @typedef {'fresh' | 'kept'} ConnectionKind */

const PACKS = 'version: 1\npacks: { safety: true, secrets: true, self: true }\n'

/**
 * A separate home and project with every built-in pack on, and a daemon with both servers running. The package is packed,
 * installed by npm, and its own `init` has installed the hook program, as for a user. `close` removes everything.
 * @param {string} root
 */
export async function openInstallation(root) {
  const { homeLayout } = await builtModule('src/system/home.ts')
  const { ensureDaemon } = await builtModule('src/daemon/launch.ts')
  const { controlDaemon } = await builtModule('src/daemon/client.ts')
  const { chooseHttpSettings } = await builtModule('src/daemon/http-settings.ts')
  const { encodeRequest } = await builtModule('src/daemon/protocol.ts')

  const folder = mkdtempSync(join(tmpdir(), 'hp-bench-'))
  const project = join(folder, 'project')
  const home = homeLayout(join(folder, 'home'), process.env)
  // Other hooks write logs into the user's home, so this one is deleted after the run.
  const person = join(folder, 'person')
  const env = { PATH: process.env.PATH ?? '', HOME: person, CLAUDE_PROJECT_DIR: project }
  // A repository, as projects usually are.
  const folders = [join(project, '.git'), join(project, '.holdpoint'), home.folder, person]
  for (const path of folders) mkdirSync(path, { recursive: true })
  writeFileSync(join(project, '.holdpoint', 'config.yaml'), PACKS)
  const installed = installPackage(root, join(folder, 'package'))
  const words = ['init', '--host', 'claude-code', '--scope', 'user', '--yes', '--home', home.folder]
  execFileSync(process.execPath, [installed.program, ...words], { cwd: project, env, stdio: 'ignore' })
  const program = isScript(home.hookProgram) ? 'node' : 'native'
  // The daemon that tried the hooks for `init` has no HTTP server.
  await stopped(home.run, controlDaemon)
  const http = await chooseHttpSettings(home, env)
  const started = await ensureDaemon(home, 10_000)
  if (!started.ok) throw new Error(started.problem.message)
  await untilWarm()
  /** @returns {Promise<{ readonly pid: number, readonly answered: number }>} */
  const status = async () => {
    const reply = await controlDaemon(home.run, '#status', 2_000)
    if (reply === undefined) throw new Error('the daemon does not answer')
    return JSON.parse(reply.stdout.toString())
  }

  /** @type {Promise<void> | undefined} */
  let closing
  const leave = async () => {
    await stopped(home.run, controlDaemon)
    rmSync(folder, { recursive: true, force: true })
  }

  return {
    /** Another daemon, which has answered nothing yet. */
    async restart() {
      await stopped(home.run, controlDaemon)
      const again = await ensureDaemon(home, 10_000)
      if (!again.ok) throw new Error(again.problem.message)
    },
    folder,
    project,
    home,
    env,
    installed,
    /** `native`, or `node` if the client could not be built. */
    program,
    http,
    socket: join(home.run, 'hook.sock'),
    status,
    /**
     * A home with configuration, for requests that name it; the same daemon answers for it.
     * @param {string} name
     * @param {string} config
     * @param {Readonly<Record<string, string>>} files
     */
    writeHome(name, config, files) {
      const path = join(folder, name)
      mkdirSync(path, { recursive: true })
      for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text)
      writeFileSync(join(path, 'config.yaml'), config)
      return path
    },
    /**
     * A command as Claude Code sends it.
     * @param {string} command
     * @param {CallIds} [more]
     */
    event: (command, more) => callOf(project, 'Bash', { command, description: 'Look around' }, more),
    /**
     * The same for any tool; each call has an id of its own.
     * @param {string} tool
     * @param {object} input
     */
    call: (tool, input) => callOf(project, tool, input, { use: '@@@@@@@@' }),
    /**
     * A request as the native client sends it, or, on a connection that is kept, one of many.
     * @param {string} input
     * @param {string} homeFolder
     * @param {ConnectionKind} kind
     */
    frame: (input, homeFolder, kind) =>
      encodeRequest({
        argv: ['claude-code', '--home', homeFolder, '--event', 'PreToolUse'],
        cwd: project,
        env,
        input: Buffer.from(input),
        elapsedMs: 1,
        isOneOfMany: kind === 'kept',
      }),
    close() {
      closing ??= leave()
      return closing
    },
  }
}

/**
 * @param {string} project
 * @param {string} tool
 * @param {object} input
 * @param {CallIds} [ids]
 */
function callOf(project, tool, input, { session = 'session-0', use = 'use' } = {}) {
  return JSON.stringify({
    session_id: session,
    transcript_path: join(project, 'transcript.jsonl'),
    cwd: project,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_use_id: `toolu_${use}`,
    tool_input: input,
  })
}

/**
 * Where no client can be built or is packed, a shell script starts Node.
 * @param {string} program
 */
function isScript(program) {
  return readFileSync(program, 'latin1').startsWith('#!')
}

/** A new daemon soon sends events to itself, and is busy with them. They have a folder of their own. */
async function untilWarm() {
  const isWarmingUp = () => readdirSync(tmpdir()).some((name) => name.startsWith('holdpoint-warm-up-'))
  for (const state of [true, false]) {
    for (let tries = 0; isWarmingUp() !== state && tries < 1_000; tries += 1) await sleep(10)
  }
}

/**
 * @param {string} run
 * @param {import('../built-module.mjs').BuiltModules['src/daemon/client.ts']['controlDaemon']} controlDaemon
 */
async function stopped(run, controlDaemon) {
  const reply = await controlDaemon(run, '#status', 2_000)
  if (reply === undefined) return
  await controlDaemon(run, '#stop', 5_000)
  await untilGone(JSON.parse(reply.stdout.toString()).pid)
}

/**
 * Its last records are still being written when it has answered the stop command.
 * @param {number} pid
 */
async function untilGone(pid) {
  for (let tries = 0; tries < 1_000; tries += 1) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await sleep(10)
  }
}
