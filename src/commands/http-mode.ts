import { chmodSync, statSync } from 'node:fs'
import { ensureHttpDoor } from '../daemon/http-ready.ts'
import {
  addressMark,
  chooseHttpSettings,
  proxyIn,
  readHttpSettings,
  removeHttpSettings,
} from '../daemon/http-settings.ts'
import { HoldpointError, type Result } from '../errors.ts'
import { isKnownAtLeast } from '../hosts/hook-entry.ts'
import type { HttpAddress, Scope } from '../hosts/installer.ts'
import { checkKeptOutOfGit } from '../world/git-secrecy.ts'
import type { Home } from '../world/home.ts'
import { daemonProgram } from '../world/hook-program.ts'
import { type Install, readInstalls } from '../world/installs.ts'
import { type Agent, fileFor, places } from './agents.ts'
import { stopDaemon } from './daemon.ts'

/** Hooks that ask the daemon over HTTP in place of starting a program: when that may be, and its beginning and end. */

const OPEN_MAX_MS = 10_000

/** Says no before anything is written, where the secret would not be safe or a call that fails would run. */
export function checkHttpMode(agents: readonly Agent[], scope: Scope, project: string): void {
  const capable = agents.filter(({ installer }) => installer.httpSince !== undefined)
  if (capable.length === 0) {
    const names = agents.map(({ installer }) => installer.host).join(', ')
    throw refused(`${names} cannot ask over HTTP; Claude Code can.`, 'Install without --http.')
  }
  if (scope === 'project') {
    const message = 'A file that is committed may not hold the secret of --http.'
    throw refused(message, 'Use --scope user or --scope local.')
  }
  const proxy = proxyIn(process.env)
  if (proxy !== undefined) {
    const message = `${proxy} is set: the agent would send what it asks Holdpoint to that proxy.`
    throw refused(
      message,
      'Put 127.0.0.1 into NO_PROXY where the agent is started, or install without --http.',
    )
  }
  for (const { installer, program } of capable) {
    const { httpSince = '' } = installer
    if (!isKnownAtLeast(program?.version, httpSince)) {
      const here =
        program === undefined ? 'it is not on PATH' : `here is ${program.version ?? 'a version unknown'}`
      const message = `--http needs ${installer.host} ${httpSince} or newer; ${here}.`
      throw refused(message, 'An older one runs tools nobody judged: update it, or install without --http.')
    }
    unwrap(checkKeptOutOfGit(fileFor(installer, scope, places(project)).file))
  }
}

/** The door is open and ours; the port and the secret are those of before, where there were any. */
export async function openHttpMode(home: Home): Promise<HttpAddress> {
  const { port, secret } = await chooseHttpSettings(home, process.env)
  // A daemon from before has no supervisor: it sees the settings, and makes room for one that has.
  unwrap(await ensureHttpDoor(home, daemonProgram(), process.env, OPEN_MAX_MS))
  return { port, secret, mark: addressMark(secret) }
}

/** The door is shut, and its keeper leaves, once no install asks over HTTP any more. True when it was open. */
export async function closeUnusedHttpMode(home: Home): Promise<boolean> {
  const isUsed = readInstalls(home.installs).some(({ http }) => http === true)
  if (isUsed || readHttpSettings(home) === undefined) return false
  removeHttpSettings(home)
  await stopDaemon(home)
  return true
}

/** What others may do with a file, to be given back when the secret is out of it. */
export function modeOf(file: string): number | undefined {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode
  return mode === undefined ? undefined : mode & 0o777
}

/** Gives the file the mode it had; one that a person has changed since stays as it is. */
export function reopen({ file, modeBefore }: Install): void {
  if (modeBefore !== undefined && modeOf(file) === 0o600) chmodSync(file, modeBefore)
}

function refused(message: string, fix: string): HoldpointError {
  return new HoldpointError({ code: 'OPTION_INVALID', message, fix: `${fix} Nothing was changed.` })
}

function unwrap(result: Result<void>): void {
  if (!result.ok) throw new HoldpointError(result.problem)
}
