import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { holdpointProgram } from '../installed.ts'
import { type How, isStarted } from './command.ts'
import { playCommand, playPerson } from './played.ts'

/** The installed command line on the screen of a terminal, as a user sees it, drawn by tmux; without a screen, as in a sandbox. */

export interface ScreenSandbox {
  /** The home folder of the user. It contains everything else, so that paths on the screen begin with `~`. */
  readonly user: string
  readonly project: string
  /** Where programs are searched. */
  readonly path: string
  write(path: string, text: string, mode?: number): void
  /** Both streams. */
  run(args: readonly string[], options?: ScreenRun): Promise<string>
  /** What a person's terminal shows. */
  person(args: readonly string[]): Promise<string>
  /** The lines that a command leaves on a screen with this many columns. */
  screen(args: readonly string[], columns: number, env?: Readonly<Record<string, string>>): Promise<string>
  remove(): Promise<void>
}

export interface ScreenRun extends How {
  readonly stdin?: string
  readonly cwd?: string
}

const start = promisify(execFile)
const ROWS = 200

export function createScreenSandbox(): ScreenSandbox {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-screen-'))
  const user = join(folder, 'user')
  const project = join(user, 'project')
  const bin = join(folder, 'bin')
  for (const each of [project, bin]) mkdirSync(each, { recursive: true })
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: user, TERM: 'screen', TZ: 'UTC', LANG: 'C.UTF-8' }
  let screens = 0
  const write = (path: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(user, path)), { recursive: true })
    writeFileSync(join(user, path), text)
    chmodSync(join(user, path), mode)
  }
  // An agent that can only print its version.
  writeFileSync(join(bin, 'claude'), '#!/bin/sh\necho "2.1.999 (Claude Code)"\n', { mode: 0o755 })
  const run = async (args: readonly string[], { stdin = '', cwd = project, ...how }: ScreenRun = {}) => {
    if (!isStarted(args, how)) {
      const { stdout, stderr } = await playCommand(args, { cwd, env, stdin })
      return `${stdout}${stderr}`
    }
    const started = start(holdpointProgram(), args, { cwd, env })
    started.child.stdin?.end(stdin)
    const { stdout, stderr } = await started.catch((failed: { stdout: string; stderr: string }) => failed)
    return `${stdout}${stderr}`
  }
  const person = async (args: readonly string[]) =>
    (await playPerson(args, { cwd: project, env, stdin: '' }, {})).stdout
  return {
    user,
    project,
    path: env.PATH,
    write,
    run,
    person,
    screen: async (args, columns, more = {}) => {
      screens += 1
      const socket = join(folder, `tmux-${screens}`)
      const tmux = async (...words: string[]) =>
        (
          await start('tmux', ['-S', socket, '-f', '/dev/null', ...words], {
            cwd: project,
            env: { ...env, ...more },
          })
        ).stdout
      const line = [holdpointProgram(), ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
      await tmux(
        ...['new-session', '-d', '-x', String(columns), '-y', String(ROWS)],
        `${line}; tmux -S ${socket} wait-for -S done; cat`,
      )
      try {
        await tmux('wait-for', 'done')
        return stable(await tmux('capture-pane', '-p'))
      } finally {
        await tmux('kill-server')
      }
    },
    remove: async () => {
      await person(['uninstall', '--yes'])
      await run(['daemon', 'stop'])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Replaces what differs between two runs by text of the same length. */
function stable(text: string): string {
  const same = (letter: string) => (found: string) => letter.repeat(found.length)
  return `${text
    .replaceAll(/(?<=\+)[0-9a-f]{12}/g, same('b'))
    .replaceAll(
      /\d{4}-\d\d-\d\d([T ])\d\d:\d\d:\d\d(\.\d{3}Z)?/g,
      (_, gap, rest) => `2026-01-31${gap}09:00:00${rest ? '.000Z' : ''}`,
    )
    .replaceAll(/\b[0-9a-z]{8}-[0-9a-z]{12}\b/g, 'recordid-000000000000')
    .replaceAll(/(?<=holdpoint\s+allow\s+)\w{4}-\w{4}/g, 'aaaa-bbbb')
    .trimEnd()}\n`
}
