import { globSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fileText } from '#test/support/repository.ts';

const rootFolder = fileURLToPath(new URL('../../', import.meta.url));

type Import = { from: string; to: string };

const imports = globSync('{services,shared,infra}/**/*.{ts,tsx}', { cwd: rootFolder })
  .map((path) => path.split(sep).join('/'))
  .flatMap((path) => importsOf(path, fileText(path)));

/** Every folder that holds folders. */
const layers = [...new Set(imports.flatMap(({ from }) => foldersAbove(from)))];

test('no two folders of one layer import each other', () => {
  expect(mutualPairs(imports)).toEqual([]);
});

test('finds two folders that import each other', () => {
  const planted = [
    ...importsOf('shared/domain/lists/filter.ts', "import { x } from '../record/shipment.ts';"),
    ...importsOf('shared/domain/record/shipment.ts', "export type { x } from '#shared/domain/lists/filter.ts';"),
  ];
  expect(mutualPairs(planted)).toEqual(['shared/domain: lists <-> record']);
});

function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1, -1).map((_, index) => parts.slice(0, index + 1).join('/'));
}

function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(#|\.[^']*?\/)([^']+)'/g)].map(([, start = '', rest = '']) => ({
    from: path,
    to: start === '#' ? rest : posix.join(posix.dirname(path), start, rest),
  }));
}

function mutualPairs(all: readonly Import[]): string[] {
  return layers.flatMap((layer) => {
    const edges = new Set<string>();
    for (const { from, to } of all) {
      const [importer, imported] = [roomOf(layer, from), roomOf(layer, to)];
      if (importer !== null && imported !== null && importer !== imported) edges.add(`${importer} ${imported}`);
    }
    return [...edges]
      .map((edge) => edge.split(' ') as [string, string])
      .filter(([left, right]) => left < right && edges.has(`${right} ${left}`))
      .map(([left, right]) => `${layer}: ${left} <-> ${right}`)
      .sort();
  });
}

/** The direct subfolder of a layer that a file is in. Null: none. */
function roomOf(layer: string, path: string): string | null {
  if (!path.startsWith(`${layer}/`)) return null;
  const [room, ...rest] = path.slice(layer.length + 1).split('/');
  return room === undefined || rest.length === 0 ? null : room;
}
