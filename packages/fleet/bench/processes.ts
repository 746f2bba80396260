import { type ChildProcess, fork, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a run needs of processes: to start collectors, and to measure what they cost. */

/** `npm run` starts in the root of the repository. */
const ROOT = process.cwd()

export interface CollectorProcess {
  readonly child: ChildProcess
  readonly url: string
}

export async function startCollector(database: string, port = 0): Promise<CollectorProcess> {
  const args = [
    join(ROOT, 'dist', 'holdpoint.cjs'),
    'fleet',
    'collector',
    '--listen',
    `127.0.0.1:${port}`,
    '--database',
    database,
  ]
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text) => {
      const [, address] = /listens on (127\.0\.0\.1:\d+)/.exec(String(text)) ?? []
      if (address !== undefined) resolve(`http://${address}`)
    })
    child.on('exit', (code) => reject(new Error(`the collector ended with ${code}`)))
  })
  return { child, url }
}

/** A process of this bench, from its own bundle. */
export function startWorker(name: string): ChildProcess {
  return fork(join(import.meta.dirname, `${name}.mjs`), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

/** One question after the other: a worker answers without saying which question it was. */
const asked = new WeakMap<ChildProcess, Promise<unknown>>()

export function ask<T>(child: ChildProcess, message: object): Promise<T> {
  const answer = (asked.get(child) ?? Promise.resolve()).then(() => askNow<T>(child, message))
  asked.set(
    child,
    answer.catch(() => {}),
  )
  return answer
}

function askNow<T>(child: ChildProcess, message: object): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('a worker ended'))
    child.once('exit', ended)
    child.once('message', (answer) => {
      child.off('exit', ended)
      resolve(answer as T)
    })
    // Without a callback, a worker that has ended would end this process, and leave the servers behind.
    child.send(message, (error) => error !== null && reject(error))
  })
}

const TICKS = 100

/** CPU seconds of a process and of its children, living and ended. */
export function cpuSeconds(pid: number): number {
  const [own, ended] = cpuOf(pid)
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(Number(name)) === pid)
  return own + ended + children.reduce((sum, child) => sum + cpuOf(Number(child))[0], 0)
}

function fields(pid: number): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}

function cpuOf(pid: number): readonly [own: number, ended: number] {
  const parts = fields(pid).map(Number)
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = parts.slice(11, 15)
  return [(utime + stime) / TICKS, (cutime + cstime) / TICKS]
}

function parentOf(pid: number): number {
  return Number(fields(pid)[1] ?? 0)
}

export function rssMb(pid: number): number {
  try {
    const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Math.round(Number(kb ?? 0) / 1024)
  } catch {
    return 0
  }
}

/** The first process of a PostgreSQL. */
export function postmasterPid(folder: string): number {
  return Number(readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
}

export function loadAverage(): string {
  return readFileSync('/proc/loadavg', 'utf8').split(' ').slice(0, 3).join(' ')
}
