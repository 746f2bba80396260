import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadFor, sessionFrames } from './daemon.mjs'

const EVENTS = 100_000
/** After half a minute without events the daemon collects; the rest is for the collection itself. */
const QUIET_MS = 40_000

/** The memory of a daemon that gets many events at once, from the moment it accepts them. */
export async function measureMemory(installation, tools, events = EVENTS) {
  const frames = sessionFrames(installation, 'kept', false)
  await installation.restart()
  const started = await residentBytes(installation)
  let answered = 0
  let highest = started
  while (answered < events) {
    loadFor(installation, tools, frames, { connections: 8, kind: 'kept', warmUpMs: 0, measuredMs: 2_000 })
    answered = (await installation.status()).answered
    highest = Math.max(highest, await residentBytes(installation))
  }
  await sleep(QUIET_MS)
  return { answered, started, highest, quiet: await residentBytes(installation) }
}

async function residentBytes({ status }) {
  const { pid } = await status()
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

export function memoryRows({ answered, started, highest, quiet }) {
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`
  return {
    title: 'Memory of one daemon',
    head: ['when', 'resident'],
    rows: [
      ['just started'.padEnd(40), megabytes(started)],
      [`most, while ${answered.toLocaleString('en')} events come`.padEnd(40), megabytes(highest)],
      [`${QUIET_MS / 1000} seconds later`.padEnd(40), megabytes(quiet)],
    ],
    note: 'A daemon that has just started gets events over 8 connections as fast as it answers. Some 50 MB are the files of Node and of Holdpoint, which all processes share.',
  }
}
