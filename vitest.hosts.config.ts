import { defineConfig } from 'vitest/config'

/** Real agent programs, one at a time: they share two cores with everything else, so deadlines are generous. */
export default defineConfig({
  test: {
    include: ['test/hosts/**/*.test.ts'],
    exclude: ['**/node_modules/**'],
    pool: 'forks',
    fileParallelism: false,
    sequence: { concurrent: false },
    testTimeout: 400_000,
    hookTimeout: 400_000,
  },
})
