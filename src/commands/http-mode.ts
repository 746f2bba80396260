import { chmodSync, statSync } from 'node:fs'
import { HoldpointError, type Result } from '../core/errors.ts'
import { ensureHttpServer } from '../daemon/http-ready.ts'
import {
  addressMark,
  chooseHttpSettings,
  proxyIn,
  readHttpSettings,
  removeHttpSettings,
} from '../daemon/http-settings.ts'
import { isKnownAtLeast } from '../hosts/hook-entry.ts'
import type { HttpAddress, InstallScope } from '../hosts/installer.ts'
import { checkKeptOutOfGit } from '../system/git-secrecy.ts'
import type { Home } from '../system/home.ts'
import { type Install, readInstalls } from '../system/installs.ts'
import { type Agent, fileFor, places } from '../tools/status/agents.ts'
import type { Caller } from './caller.ts'
import { stopDaemon } from './daemon.ts'

/**
 * Hooks that call the daemon over HTTP instead of starting a program: when that is allowed, and how it is
 * switched on and off.
 */

const OPEN_MAX_MS = 10_000

/**
 * Fails before anything is written if the secret would not be safe, or if a call would run after a failed
 * request.
 */
export function checkHttpMode(
  caller: Caller,
  agents: readonly Agent[],
  scope: InstallScope,
  project: string,
): void {
  const capable = agents.filter(({ installer }) => installer.httpSince !== undefined)
  if (capable.length === 0) {
    const names = agents.map(({ installer }) => installer.host).join(', ')
    throw refused(
      `${names} does not support HTTP hooks; Claude Code does.`,
      'Run `holdpoint init` without --http.',
    )
  }
  if (scope === 'project') {
    const message =
      "The project's settings file is committed, so it must not contain the secret that --http needs."
    throw refused(message, 'Use --scope user or --scope local.')
  }
  const proxy = proxyIn(caller.env)
  if (proxy !== undefined) {
    const message = `${proxy} is set, so the agent would send its hook requests to that proxy.`
    throw refused(
      message,
      'Add 127.0.0.1 to NO_PROXY in the environment of the agent, or run `holdpoint init` without --http.',
    )
  }
  for (const { installer, program } of capable) {
    const { httpSince = '' } = installer
    if (!isKnownAtLeast(program?.version, httpSince)) {
      const here =
        program === undefined ? 'it is not on PATH' : `this is ${program.version ?? 'an unknown version'}`
      const message = `--http needs ${installer.host} ${httpSince} or newer; ${here}.`
      throw refused(
        message,
        'Older versions run tools without a decision. Update the agent, or run `holdpoint init` without --http.',
      )
    }
    unwrap(checkKeptOutOfGit(fileFor(installer, scope, places(project, caller.env)).file, caller.env))
  }
}

/**
 * Starts the HTTP server and checks that it is Holdpoint's own. Reuses the port and secret of an earlier
 * install.
 */
export async function openHttpMode(caller: Caller, home: Home): Promise<HttpAddress> {
  const { port, secret } = await chooseHttpSettings(home, caller.env)
  // A daemon from before --http has no supervisor. It sees the new settings and exits, so that one with a
  // supervisor can start.
  unwrap(await ensureHttpServer(home, caller.env, OPEN_MAX_MS))
  return { port, secret, mark: addressMark(secret) }
}

/** Stops the HTTP server once no install uses HTTP. True if it was on. */
export async function closeUnusedHttpMode(home: Home): Promise<boolean> {
  const isUsed = readInstalls(home.installs).some(({ http }) => http === true)
  if (isUsed || readHttpSettings(home) === undefined) return false
  removeHttpSettings(home)
  await stopDaemon(home)
  return true
}

/** The permissions of a file, to be restored when the secret is removed from it. */
export function modeOf(file: string): number | undefined {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode
  return mode === undefined ? undefined : mode & 0o777
}

/** Restores the mode of the file. If the user has changed the mode since, it stays as it is. */
export function reopen({ file, modeBefore }: Install): void {
  if (modeBefore !== undefined && modeOf(file) === 0o600) chmodSync(file, modeBefore)
}

function refused(message: string, fix: string): HoldpointError {
  return new HoldpointError({ code: 'OPTION_INVALID', message, fix: `${fix} Nothing was changed.` })
}

function unwrap(result: Result<void>): void {
  if (!result.ok) throw new HoldpointError(result.problem)
}
