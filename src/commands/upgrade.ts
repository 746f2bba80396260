import { spawn, spawnSync } from 'node:child_process'
import { HoldpointError } from '../core/errors.ts'
import { isOlderVersion, VERSION } from '../core/version.ts'
import type { Home } from '../system/home.ts'
import { currentRuntime } from '../system/runtime.ts'
import { type Caller, homeNamed } from './caller.ts'
import { refuseAgent, requireConsent } from './person.ts'

interface UpgradeOptions {
  readonly home?: string
  readonly to?: string
  readonly check?: boolean
  readonly unattended?: string
}

const NPM_MAX_MS = 60_000

/**
 * Shows the version on npm, and runs its `init` if that version is newer. Downloads and installs nothing
 * itself.
 */
export async function upgrade(caller: Caller, options: UpgradeOptions): Promise<void> {
  const home = homeNamed(caller, options.home)
  if (options.check !== true) refuseAgent(caller, 'upgrade')
  const installed = currentRuntime(home)?.version
  const wanted = options.to ?? newestInNpm(caller)
  caller.stdout.write(`Installed: ${installed ?? 'nothing'}. On npm: ${wanted}.\n`)
  if (installed !== undefined && options.to === undefined && !isOlderVersion(installed, wanted)) {
    caller.stdout.write('You have the newest version.\n')
    return
  }
  const words = ['--yes', `holdpoint@${wanted}`, 'init', '--renew', '--home', home.folder]
  const isOlder = installed !== undefined && isOlderVersion(wanted, installed)
  // The older version asks nobody.
  if (isOlder && options.check !== true)
    await requireConsent(caller, home, 'init', options.unattended, 'installs an older version')
  if (isOlder) words.push('--downgrade')
  caller.stdout.write(`${options.check === true ? 'To upgrade' : 'Running'}: npx ${words.join(' ')}\n`)
  if (options.check !== true) caller.exitCode = await run(caller, 'npx', words, home)
}

function newestInNpm({ cwd, env }: Caller): string {
  const { stdout, status, error } = spawnSync('npm', ['view', 'holdpoint', 'version'], {
    ...{ cwd, env },
    encoding: 'utf8',
    timeout: NPM_MAX_MS,
  })
  const version = /^\d+\.\d+\.\d+\S*$/m.exec(stdout ?? '')?.[0]
  if (status === 0 && version !== undefined) return version
  const why = error?.message ?? `npm ended with exit code ${status}`
  throw new HoldpointError({
    code: 'NPM_SILENT',
    message: `npm did not report a version of holdpoint: ${why}. This is ${VERSION}.`,
  })
}

function run(caller: Caller, file: string, args: readonly string[], { user }: Home): Promise<number> {
  return new Promise((done) => {
    // Not run in the project: a package.json there could decide what npx runs.
    const child = spawn(file, args, { stdio: 'inherit', cwd: user, env: caller.env })
    child.on('error', (error) => {
      caller.stderr.write(`holdpoint: ${file} cannot be started: ${error.message}\n`)
      done(69)
    })
    child.on('exit', (code) => done(code ?? 70))
  })
}
