import { configDefaults, defineConfig } from 'vitest/config';
import { scaled } from './test/support/run-scale.ts';
import { patienceMs } from './test/support/until.ts';

/** The suffix names what a test needs; a file without one needs nothing that must be started. */
const withStores = ['test/**/*.{pg,redis,e2e}.test.ts'];
/** They start services or browsers, or register telemetry for their whole process: each file has a process of its own. */
const installations = [
  'test/**/*.e2e.test.ts',
  'test/{agents,drills,e2e}/**/*.test.ts',
  'test/shared/{telemetry,queue}/**/*.{pg,redis}.test.ts',
  'test/**/{*traces,*telemetry,metrics}.pg.test.ts',
];
/** Only `npm run drills` runs them, and a run that names them: whole installations under load or faults, and sweeps. */
const drills = ['test/**/*.drill.test.ts'];
/** The dashboard in a browser, built once for all of them. */
const inBrowser = ['test/{dashboard,services/api}/**/*.e2e.test.ts'];
/** The image, built once for all of them. */
const inImage = ['test/**/*.image.test.ts'];
const registeringTelemetry = ['test/shared/{telemetry,queue}/**/*.test.ts'];

const testTimeout = scaled({ short: 600_000, full: 7_200_000 });

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // These end tests that hang. A busy machine must not fail a test that would pass, so no test has a limit of its own.
    testTimeout,
    hookTimeout: testTimeout,
    expect: { poll: { timeout: patienceMs, interval: 50 } },
    // Twice the cores of the smallest machine: many files mostly wait, for a deadline or another process.
    maxWorkers: 4,
    setupFiles: ['test/support/timings/measure-file.ts'],
    reporters: ['default', './test/support/closing-line-reporter.ts'],
    // A snapshot that is not found must fail its test: by default Vitest would write it and pass.
    update: 'none',
    // Run in the order of their names: the longest files first.
    projects: [
      {
        extends: true,
        test: {
          name: 'dashboard',
          include: inBrowser,
          globalSetup: ['test/support/browser/build-dashboard.ts'],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'drills', include: drills } },
      {
        extends: true,
        test: { name: 'image', include: inImage, globalSetup: ['test/support/image/provide-image.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'installations',
          include: installations,
          exclude: [...configDefaults.exclude, ...inBrowser, ...drills],
        },
      },
      {
        extends: true,
        test: {
          name: 'plain-alone',
          include: registeringTelemetry,
          exclude: [...configDefaults.exclude, ...withStores, ...drills],
        },
      },
      // Files that share a process share their modules: loading them again for each took a third of the time.
      {
        extends: true,
        test: {
          name: 'plain',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...withStores, ...registeringTelemetry, ...drills, ...inImage],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'stores',
          include: withStores,
          exclude: [...configDefaults.exclude, ...inBrowser, ...installations],
          isolate: false,
        },
      },
    ],
  },
});
