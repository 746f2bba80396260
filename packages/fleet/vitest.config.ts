import { defineConfig } from 'vitest/config'

/** The suites of the fleet: each starts a PostgreSQL of its own. `npm run test:long` runs them. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['**/*.test.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 240_000,
  },
})
