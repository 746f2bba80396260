import { defineConfig } from 'vitest/config'

/** Faults that take minutes to show: one at a time, because each wants the machine for itself. */
export default defineConfig({
  test: {
    include: ['test/faults/long/**/*.test.ts'],
    pool: 'threads',
    fileParallelism: false,
    testTimeout: 1_200_000,
    hookTimeout: 60_000,
  },
})
