import { globSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fileText } from '#test/support/repository.ts';

const rootFolder = fileURLToPath(new URL('../../', import.meta.url));
const maxFilesInFolder = 20;
const minEntriesInFolder = 3;
const maxLines = 250;
const minLines = 15;
const maxTinyFiles = 30;

/** Files over the limit, each with the reason why it is one file. */
const longFiles: Readonly<Record<string, string>> = {
  'shared/config/variables.ts': 'one table: a row for every setting',
  'infra/house/import-rules.ts': 'one table: a row for every part of the code',
  'shared/contract/error-catalogue.ts': 'one table: a row for every error code',
  'shared/telemetry/metric-catalogue.ts': 'one table: a row for every metric',
  'shared/domain/record/shipment.ts': 'the types of a whole shipment, which refer to each other',
  'shared/contract/record/record-fields.ts': 'one table: a row for every field of a record',
  'shared/domain/carriers/known-carriers.ts': 'one table: a row for every carrier',
};

const feature = 'a feature, named as in the other layers';

/** Folders with fewer entries, each with the reason why it is a folder. */
const smallFolders: Readonly<Record<string, string>> = {
  'services/api/oauth': 'the endpoints of the authorization server, beside those of the API',
  'services/dashboard/screens/connect': 'a screen',
  'shared/contract/apps': feature,
  'shared/contract/edi': feature,
  'shared/contract/notes': feature,
  'shared/contract/positions': feature,
  'shared/core/positions': feature,
  'shared/core/settling': feature,
  'shared/domain/apps': feature,
  'shared/domain/bulk': feature,
  'shared/domain/feed': feature,
  'shared/domain/members': feature,
  'shared/domain/notes': feature,
  'shared/domain/shares': feature,
  'shared/store/installation': feature,
  'shared/store/notes': feature,
  'shared/store/positions': feature,
  'shared/store/schema': 'what infra reads from the catalog of PostgreSQL; no service needs it',
};

/** A file may grow this far over the limit while a change is in progress, and no further. */
const tolerance = 25;

const sourceFiles = globSync('{services,shared,infra}/**/*.{ts,tsx}', { cwd: rootFolder }).map((path) =>
  path.split(sep).join('/'),
);
/** The tools of development are no part of the product; the simulator runs in its demonstration. */
const productFiles = sourceFiles.filter((path) => !/^infra\/tools\/(?!simulator\/)/.test(path));

const lines = new Map(productFiles.map((path) => [path, fileText(path).split('\n').length - 1]));

test('no folder holds more than 20 files', () => {
  const testFiles = globSync('test/**/*.{ts,tsx}', { cwd: rootFolder }).map((path) => path.split(sep).join('/'));
  const counts = Map.groupBy([...sourceFiles, ...testFiles], dirname);
  const crowded = [...counts].filter(([, files]) => files.length > maxFilesInFolder).map(([folder]) => folder);
  expect(crowded).toEqual([]);
});

test('folders with fewer than 3 entries are those with a reason', () => {
  const small = [...Map.groupBy(sourceFiles, dirname)]
    .filter(([folder, files]) => files.length + foldersIn(folder) < minEntriesInFolder)
    .map(([folder]) => folder);
  expect(small.sort()).toEqual(Object.keys(smallFolders).sort());
});

test('no file is long without a reason', () => {
  const long = [...lines].filter(([path, count]) => count > maxLines + tolerance && longFiles[path] === undefined);
  expect(long).toEqual([]);
});

test('every file with a reason to be long is still long', () => {
  const short = Object.keys(longFiles).filter((path) => (lines.get(path) ?? 0) <= maxLines);
  expect(short).toEqual([]);
});

test('few files are tiny', () => {
  const tiny = [...lines].filter(([, count]) => count < minLines).map(([path]) => path);
  expect(tiny.length, tiny.join('\n')).toBeLessThanOrEqual(maxTinyFiles);
});

function foldersIn(folder: string): number {
  const below = sourceFiles
    .filter((path) => path.startsWith(`${folder}/`))
    .map((path) => path.slice(folder.length + 1));
  return new Set(below.filter((path) => path.includes('/')).map((path) => path.split('/')[0])).size;
}
