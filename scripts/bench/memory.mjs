import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadFor, sessionFrames } from './daemon.mjs'

/**
 * The memory of a daemon that gets many events at once, from the moment it accepts them.
 * @param {import('./installation.mjs').Installation} installation
 * @param {import('./tools.mjs').Tools} tools
 * @param {import('./amounts.mjs').Amounts} amounts
 */
export async function measureMemory(installation, tools, { memoryEvents: events, quietMs, measuredMs }) {
  const frames = sessionFrames(installation, 'kept', false)
  await installation.restart()
  const started = await residentBytes(installation)
  let answered = 0
  let highest = started
  while (answered < events) {
    loadFor(installation, tools, frames, {
      connections: 8,
      kind: 'kept',
      warmUpMs: 0,
      measuredMs: Math.min(measuredMs, 2_000),
    })
    answered = (await installation.status()).answered
    highest = Math.max(highest, await residentBytes(installation))
  }
  await sleep(quietMs)
  return { answered, started, highest, quietMs, quiet: await residentBytes(installation) }
}

/** @param {import('./installation.mjs').Installation} installation */
async function residentBytes({ status }) {
  const { pid } = await status()
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/**
 * @param {Awaited<ReturnType<typeof measureMemory>>} measured
 * @returns {import('./report.mjs').Section}
 */
export function memoryRows({ answered, started, highest, quietMs, quiet }) {
  /** @param {number} bytes */
  const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`
  return {
    title: 'Memory of one daemon',
    head: ['when', 'resident'],
    rows: [
      ['just started'.padEnd(40), megabytes(started)],
      [`most, while ${answered.toLocaleString('en')} events come`.padEnd(40), megabytes(highest)],
      [`${quietMs / 1000} seconds later`.padEnd(40), megabytes(quiet)],
    ],
    note: 'A daemon that has just started gets events over 8 connections as fast as it answers. Some 50 MB are the files of Node and of Holdpoint, which all processes share.',
  }
}
