import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The dashboard as it is served. Built once per run, into a folder of its own: `npm start` uses another one. */
    dashboard: { folder: string; buildError: string | null };
  }
}

/** Builds the dashboard for all tests of its project. A failing build fails those tests only, not the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-dashboard-'));
  project.provide('dashboard', { folder, buildError: await buildInto(folder) });
  return () => rm(folder, { recursive: true, force: true });
}

async function buildInto(folder: string): Promise<string | null> {
  // Vitest sets `test`, with which Vite would build React for development.
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    await build({
      configFile: 'services/dashboard/vite.config.ts',
      mode: 'production',
      logLevel: 'error',
      build: { outDir: folder, emptyOutDir: true },
    });
    return null;
  } catch (error) {
    return String(error);
  } finally {
    process.env.NODE_ENV = before;
  }
}
