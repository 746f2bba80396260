import { execFileSync, type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A PostgreSQL of its own for a test, in a temporary folder, reachable over a socket in that folder. */
export interface Cluster {
  readonly folder: string
  /** The address of a database of this cluster. */
  url(database?: string): string
  /** The user of the server process, for files that it must read. */
  readonly owner: { readonly uid: number; readonly gid: number }
  createDatabase(name: string): void
  sql(text: string, database?: string): string
  /** `immediate` is like a power cut: the server recovers from its log. */
  stop(mode?: 'fast' | 'immediate'): void
  start(): Promise<void>
  remove(): void
}

export interface ClusterOptions {
  /** The data folder, for example on a disk that is too small. */
  readonly parent?: string
  readonly settings?: Readonly<Record<string, string>>
}

const FAST = { fsync: 'off', full_page_writes: 'off' }

export async function startCluster({ parent, settings = FAST }: ClusterOptions = {}): Promise<Cluster> {
  const bin = binaries()
  const owner = serverUser()
  const folder = mkdtempSync(join(parent ?? tmpdir(), 'holdpoint-pg-'))
  const data = join(folder, 'data')
  const asOwner = (program: string, args: readonly string[], input?: string): SpawnSyncReturns<string> => {
    const words = [join(bin, program), ...args]
    const isRoot = process.getuid?.() === 0
    // The server refuses to run as root.
    const [file = '', ...rest] = isRoot
      ? ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups', ...words]
      : words
    const ran = spawnSync(file, rest, {
      encoding: 'utf8',
      cwd: folder,
      // A row for each of ten thousand machines is more than the default.
      maxBuffer: 64 * 1024 * 1024,
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
      ...(input === undefined ? {} : { input }),
    })
    if (ran.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${ran.stderr || ran.error?.message}`)
    return ran
  }
  mkdirSync(data)
  for (const path of [folder, data]) chownSync(path, owner.uid, owner.gid)
  chmodSync(folder, 0o711)
  asOwner('initdb', ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync'])
  const config = Object.entries({ shared_buffers: '128MB', max_connections: '60', ...settings })
  const flags = config.flatMap(([key, value]) => ['-c', `${key}=${value}`])
  const url = (database = 'postgres') => `postgresql://test@/${database}?host=${encodeURIComponent(folder)}`
  const start = async () => {
    const words = [join(bin, 'postgres'), '-D', data, '-k', folder, '-c', 'listen_addresses=', ...flags]
    const isRoot = process.getuid?.() === 0
    const prefix = isRoot ? ['setpriv', `--reuid=${owner.uid}`, `--regid=${owner.gid}`, '--clear-groups'] : []
    const [file = '', ...args] = [...prefix, ...words]
    const server = spawn(file, args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
    })
    let log = ''
    server.stderr.on('data', (part) => {
      log = `${log}${part}`.slice(-4000)
    })
    for (let tries = 0; tries < 600; tries += 1) {
      if (server.exitCode !== null) throw new Error(`the database did not start: ${log}`)
      const ready = spawnSync(join(bin, 'pg_isready'), ['-h', folder, '-q'])
      if (ready.status === 0) return
      await sleep(100)
    }
    throw new Error(`the database did not start: ${log}`)
  }
  const stop = (mode: 'fast' | 'immediate' = 'fast') => {
    if (existsSync(join(data, 'postmaster.pid'))) asOwner('pg_ctl', ['-D', data, '-m', mode, '-w', 'stop'])
  }
  await start()
  return {
    folder,
    url,
    owner,
    createDatabase: (name) =>
      void asOwner('psql', ['-h', folder, '-U', 'test', '-qc', `CREATE DATABASE ${name}`, 'postgres']),
    sql: (text, database = 'postgres') =>
      asOwner(
        'psql',
        ['-h', folder, '-U', 'test', '-XAtq', '-v', 'ON_ERROR_STOP=1', database],
        text,
      ).stdout.trim(),
    stop,
    start,
    remove() {
      stop('immediate')
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function binaries(): string {
  const root = '/usr/lib/postgresql'
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  const found = versions
    .map((version) => join(root, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')))
  if (found !== undefined) return found
  const onPath = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout?.trim()
  if (onPath && existsSync(join(onPath, 'initdb'))) return onPath
  throw new Error('PostgreSQL is missing: run `apt-get install -y postgresql` first')
}

function serverUser(): { readonly uid: number; readonly gid: number } {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0]
  if (uid !== 0) return { uid, gid }
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith('postgres:'))
  const [, , user, group] = (
    line ?? execFileSync('getent', ['passwd', 'nobody'], { encoding: 'utf8' })
  ).split(':')
  return { uid: Number(user), gid: Number(group) }
}
