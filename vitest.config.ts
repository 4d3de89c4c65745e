import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One more than the smallest machine has cores: a third of the files wait most of the time, for a deadline or another process.
    maxWorkers: 3,
    reporters: ['default', './test/support/closing-line-reporter.ts'],
  },
});
