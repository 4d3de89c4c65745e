import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { projectFolder } from '#infra/data-folder.ts';
import { buildWebApp } from '#infra/installation/build-web-app.ts';
import { scaled } from '../run-scale.ts';
import { buildImage, type Image, removeImage } from './build-image.ts';

declare module 'vitest' {
  interface ProvidedContext {
    image: Image;
  }
}

/**
 * Builds the image for all tests of its project. In the short form, the dashboard comes from the build that the browser
 * tests use, made by the same command; the drills run that stage too.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const built = await scaled<() => Promise<string | null>>({
    short: dashboardOfBrowserTests,
    full: async () => null,
  })();
  const image = await buildImage({ context: projectFolder, built: built === null ? {} : { dashboard: built } });
  project.provide('image', image);
  return async () => {
    await removeImage(image);
    if (built !== null) await rm(built, { recursive: true, force: true });
  };
}

/** A folder that stands for `/` of the stage `dashboard`. */
async function dashboardOfBrowserTests(): Promise<string> {
  await buildWebApp(new AbortController().signal);
  const root = await mkdtemp(join(tmpdir(), 'landfall-image-dashboard-'));
  await symlink(projectFolder, join(root, 'app'));
  return root;
}
