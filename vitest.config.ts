import { configDefaults, defineConfig } from 'vitest/config';

/** They start services or browsers, or register telemetry for their whole process, where nobody else may have done so. */
const alone = [
  'test/**/*.e2e.test.ts',
  'test/{agents,drills,e2e}/**/*.test.ts',
  'test/shared/{telemetry,queue}/**/*.test.ts',
  'test/**/{*traces,*telemetry,metrics}.pg.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One more than the smallest machine has cores: some files wait most of the time, for a deadline or another process.
    maxWorkers: 3,
    reporters: ['default', './test/support/closing-line-reporter.ts'],
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      // Loading the same modules again for each file took a third of the time of the pure rules' tests.
      {
        extends: true,
        test: {
          name: 'together',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone],
          isolate: false,
        },
      },
    ],
  },
});
