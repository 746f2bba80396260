import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tarball } from '../../../test/installed.ts'

/** Both packages as a user gets them: packed, and installed by npm into an empty folder. */
export interface Installed {
  readonly folder: string
  readonly program: string
  remove(): void
}

export function installBoth(): Installed {
  const folder = mkdtempSync(join(tmpdir(), 'holdpoint-both-'))
  const packed = join(folder, 'packed')
  mkdirSync(packed)
  const npm = (cwd: string, args: readonly string[]) =>
    execFileSync('npm', args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] })
  npm(join(import.meta.dirname, '..'), ['pack', '--ignore-scripts', '--pack-destination', packed])
  const [fleet = ''] = readdirSync(packed)
  writeFileSync(join(folder, 'package.json'), '{ "name": "user", "private": true }\n')
  npm(folder, ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball(), join(packed, fleet)])
  return {
    folder,
    program: join(folder, 'node_modules', '.bin', 'holdpoint'),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}
