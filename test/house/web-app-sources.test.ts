import { globSync } from 'node:fs';
import { expect, it } from 'vitest';
import { webAppSources } from '#infra/installation/build-web-app.ts';
import { fileText, repositoryPath } from '#test/support/repository.ts';

// A source that isn't named changes without a new build: `npm start` would serve the dashboard of an earlier version.
it('builds the dashboard again after a change of anything that it imports', () => {
  const files = webAppSources.flatMap((source) => globSync(`${source}/**/*.{ts,tsx}`, { cwd: repositoryPath('.') }));
  const own = files.filter((file) => !/\/(?:dist|node_modules)\//.test(file));
  const imported = own.flatMap((file) =>
    [...fileText(file).matchAll(/'#((?:shared|services|infra)\/[\w./-]+)'/g)].map(([, path = '']) => path),
  );
  expect(imported.length).toBeGreaterThan(300);
  const isNamed = (path: string) => webAppSources.some((source) => path.startsWith(`${source}/`));
  expect([...new Set(imported.filter((path) => !isNamed(path)))]).toEqual([]);
});
