import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { laneReporters } from './vitest.reports.ts'

export default defineConfig({
  test: {
    reporters: laneReporters(),
    setupFiles: join(import.meta.dirname, 'vitest.setup.ts'),
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Other lanes: CONTRIBUTING.md says which tests are in them, and why.
    exclude: [
      'src/**/*.long.test.ts',
      'test/differential/**',
      'test/faults/**',
      'test/hosts/**',
      'test/long/**',
      'test/native/**',
      'test/package/**',
      'test/parity/**',
      'test/properties/**',
      'test/python/**',
      'node_modules/**',
      'dist/**',
    ],
    // The end-to-end cases start real processes on shared machines: generous, never a timing assertion.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // Threads would share open files: while one writes a program, another that starts a process keeps it from being started.
    pool: 'forks',
    // No test changes what it imports: loaded once and warm, the files of one worker take half the time.
    isolate: false,
    // Half of the time goes to waiting for processes, and on two cores the default is a single worker.
    maxWorkers: 3,
  },
})
