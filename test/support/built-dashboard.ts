import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { build } from 'vite';

/** The dashboard as it is served, built into a folder of its own: tests neither need nor change the one that runs. */
export async function buildDashboard(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'landfall-dashboard-'));
  // Vitest sets `test`, and Vite would build React for development.
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  await build({
    configFile: 'services/dashboard/vite.config.ts',
    mode: 'production',
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true },
  });
  process.env.NODE_ENV = before;
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
