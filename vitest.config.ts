import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/hosts/**', 'test/faults/long/**', 'node_modules/**', 'dist/**'],
    // The end-to-end cases start real processes on shared machines: generous, never a timing assertion.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'threads',
  },
})
