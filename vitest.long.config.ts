import { defineConfig } from 'vitest/config'

/** What takes minutes to show: one file at a time, because each wants the machine for itself. */
export default defineConfig({
  test: {
    include: ['test/{faults,long,native,parity,properties}/**/*.test.ts'],
    pool: 'threads',
    fileParallelism: false,
    testTimeout: 3_600_000,
    hookTimeout: 240_000,
  },
})
