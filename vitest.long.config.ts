import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { laneReporters } from './vitest.reports.ts'

/** With `*.long.test.ts` beside the sources. */
const FOLDERS = ['differential', 'faults', 'long', 'native', 'package', 'parity', 'properties', 'python']
const files = [
  ...FOLDERS.flatMap((name) => filesBelow(`test/${name}`, '.test.ts')),
  ...filesBelow('src', '.long.test.ts'),
]
/** A file that needs the machine for itself says why in a comment: `Runs alone: …`. */
const alone = files.filter((file) => /(?:\/\*\*?|\/\/|\*) Runs alone: \S/.test(readFileSync(file, 'utf8')))

const common = {
  setupFiles: join(import.meta.dirname, 'vitest.setup.ts'),
  pool: 'threads',
  testTimeout: 3_600_000,
  hookTimeout: 240_000,
} as const

/**
 * What takes too long for every run. Files run next to each other, because most of the time goes to waiting for
 * processes; those that need the machine for themselves run after them.
 */
export default defineConfig({
  test: {
    reporters: laneReporters(),
    projects: [
      {
        test: {
          ...common,
          name: 'together',
          include: files.filter((file) => !alone.includes(file)),
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          name: 'fleet',
          // Each starts a PostgreSQL of its own.
          include: ['packages/fleet/**/*.test.ts'],
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
        },
      },
      { test: { ...common, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
})

function filesBelow(folder: string, ending: string): readonly string[] {
  return readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith(ending))
}
