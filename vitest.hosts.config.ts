import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { laneReporters } from './vitest.reports.ts'

/** For the script that makes evidence of a run. */
const report = process.env.HOLDPOINT_HOSTS_REPORT
const folder = join(import.meta.dirname, 'test', 'hosts')
// The packages of the agents are beside the tests, with very many files.
const files = readdirSync(folder)
  .filter((name) => name !== 'node_modules')
  .flatMap((name) =>
    statSync(join(folder, name)).isDirectory()
      ? readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).map((each) => join(name, each))
      : [name],
  )
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/hosts/${name.replaceAll('\\', '/')}`)
/** A file that needs the machine for itself says why in a comment: `Runs alone: …`. */
const alone = files.filter((file) => /(?:\/\*\*?|\/\/|\*) Runs alone: \S/.test(readFileSync(file, 'utf8')))

/** They share two cores with everything else, so deadlines are generous. */
const common = { pool: 'forks', testTimeout: 400_000, hookTimeout: 400_000 } as const

/**
 * Real agent programs. Files run next to each other, because agents mostly wait; within a file one program runs at a
 * time.
 */
export default defineConfig({
  test: {
    reporters: [
      ...laneReporters(),
      ...(report === undefined ? [] : [['json', { outputFile: report }] as ['json', { outputFile: string }]]),
    ],
    projects: [
      {
        test: {
          ...common,
          name: 'together',
          include: files.filter((file) => !alone.includes(file)),
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...common, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
})
