import { globSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { fileText } from '#test/support/repository.ts';

const rootFolder = fileURLToPath(new URL('../../', import.meta.url));
const maxFilesInFolder = 25;
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
  'shared/domain/carriers/known-carriers.ts': 'one table: a row for every carrier',
};

/** A file may grow this far over the limit while a change is in progress, and no further. */
const tolerance = 25;

const sourceFiles = globSync('{services,shared,infra}/**/*.{ts,tsx}', { cwd: rootFolder }).map((path) =>
  path.split(sep).join('/'),
);
/** The tools of development are no part of the product; the simulator runs in its demonstration. */
const productFiles = sourceFiles.filter((path) => !/^infra\/tools\/(?!simulator\/)/.test(path));

const lines = new Map(productFiles.map((path) => [path, fileText(path).split('\n').length - 1]));

test('no folder holds more than 25 files', () => {
  const counts = Map.groupBy(productFiles, dirname);
  const crowded = [...counts].filter(([, files]) => files.length > maxFilesInFolder).map(([folder]) => folder);
  expect(crowded).toEqual([]);
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
