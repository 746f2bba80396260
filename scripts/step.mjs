import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/**
 * One step of a script, in the repository's folder. Ends this process if it fails.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
export function step(program, args, env = {}) {
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
    // Windows starts npm only through a shell.
    shell: program === 'npm' && process.platform === 'win32',
  })
  if (error !== undefined) throw error
  if (status !== 0) process.exit(status ?? 1)
}
