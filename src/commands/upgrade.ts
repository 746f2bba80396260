import { spawn, spawnSync } from 'node:child_process'
import { resolve } from 'node:path'
import { HoldpointError } from '../core/errors.ts'
import { isOlderVersion, VERSION } from '../core/version.ts'
import { type Home, homeLayout } from '../system/home.ts'
import { currentRuntime } from '../system/runtime.ts'

interface UpgradeOptions {
  readonly home?: string
  readonly to?: string
  readonly check?: boolean
}

const NPM_MAX_MS = 60_000

/**
 * Shows the version on npm, and runs its `init` if that version is newer. Downloads and installs nothing
 * itself.
 */
export async function upgrade(options: UpgradeOptions): Promise<void> {
  const home = homeLayout(options.home === undefined ? undefined : resolve(options.home), process.env)
  const installed = currentRuntime(home)?.version
  const wanted = options.to ?? newestInNpm()
  process.stdout.write(`Installed: ${installed ?? 'nothing'}. On npm: ${wanted}.\n`)
  if (installed !== undefined && options.to === undefined && !isOlderVersion(installed, wanted)) {
    process.stdout.write('You have the newest version.\n')
    return
  }
  const words = ['--yes', `holdpoint@${wanted}`, 'init', '--renew', '--home', home.folder]
  if (installed !== undefined && isOlderVersion(wanted, installed)) words.push('--downgrade')
  process.stdout.write(`${options.check === true ? 'To upgrade' : 'Running'}: npx ${words.join(' ')}\n`)
  if (options.check !== true) process.exitCode = await run('npx', words, home)
}

function newestInNpm(): string {
  const { stdout, status, error } = spawnSync('npm', ['view', 'holdpoint', 'version'], {
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

function run(file: string, args: readonly string[], { user }: Home): Promise<number> {
  return new Promise((done) => {
    // Not run in the project: a package.json there could decide what npx runs.
    const child = spawn(file, args, { stdio: 'inherit', cwd: user })
    child.on('error', (error) => {
      process.stderr.write(`holdpoint: ${file} cannot be started: ${error.message}\n`)
      done(69)
    })
    child.on('exit', (code) => done(code ?? 70))
  })
}
