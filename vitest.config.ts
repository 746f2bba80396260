import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [
      'test/faults/**',
      'test/hosts/**',
      'test/long/**',
      'test/native/**',
      'test/parity/**',
      'test/properties/**',
      'node_modules/**',
      'dist/**',
    ],
    // The end-to-end cases start real processes on shared machines: generous, never a timing assertion.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    pool: 'threads',
    // No test changes what it imports: loaded once and warm, the files of one worker take half the time.
    isolate: false,
    // Half of the time goes to waiting for processes, and on two cores the default is a single worker.
    maxWorkers: 3,
  },
})
