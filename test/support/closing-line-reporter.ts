import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { reportTimings } from './timings/report-timings.ts';

/**
 * Lists every skipped test and the slowest files, and ends with a line for machines: `N passed, N failed, N skipped`. A
 * file over the limit of time counts as failed.
 */
export class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const skipped = tests.filter((test) => test.result().state === 'skipped');
    const passed = tests.filter((test) => test.result().state === 'passed').length;
    // A module that couldn't be loaded has no tests, and one whose preparation failed has none that ran.
    const brokenModules = modules.filter(
      (module) =>
        module.state() === 'failed' &&
        [...module.children.allTests()].every((test) => test.result().state !== 'failed'),
    ).length;
    const over = reportTimings(modules);
    if (over > 0) process.exitCode = 1;
    const failed =
      tests.filter((test) => test.result().state === 'failed').length + brokenModules + unhandledErrors.length + over;
    if (skipped.length > 0) {
      process.stdout.write(
        `\nSkipped, ${skipped.length} in all:\n${skipped.map((test) => `  - ${nameOf(test)}\n`).join('')}`,
      );
    }
    process.stdout.write(
      `\n${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}\n`,
    );
  }
}

// Vitest requires a default export of a reporter that is configured by its path.
export default ClosingLineReporter;

function nameOf(test: TestCase): string {
  return `${test.module.relativeModuleId} > ${test.fullName}`;
}
