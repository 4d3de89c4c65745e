import type { TestProject } from 'vitest/node';
import { buildWebApp } from '#infra/installation/build-web-app.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Null if the dashboard is built from the present sources. */
    dashboardBuildError: string | null;
  }
}

/**
 * Builds the dashboard, unless it is current, for all tests of its project and for those that run `npm start`. A
 * failing build fails the former only, not the whole run.
 */
export async function setup(project: TestProject): Promise<void> {
  const error = await buildWebApp(new AbortController().signal).then(
    (build) => (build === 'missing' ? 'its sources are missing' : null),
    String,
  );
  project.provide('dashboardBuildError', error);
}
