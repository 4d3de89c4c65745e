import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const migrations = fileURLToPath(new URL('../../infra/migrations/', import.meta.url));
const fixtures = fileURLToPath(new URL('../fixtures/upgrade/', import.meta.url));

/** SHA-256 of each migration that databases with data have applied. Such a file never changes: add the next one. */
const frozen: Record<string, string> = {
  '0001_schema.sql': '16bb69bbaf143a9431c41572f1305d87e55d1f46f9f5e4d770ad097de77c6ee4',
};

it.each(Object.entries(frozen))('keeps %s as databases have applied it', (file, sha256) => {
  expect(
    createHash('sha256')
      .update(readFileSync(migrations + file))
      .digest('hex'),
  ).toBe(sha256);
});

it('freezes every migration that a backup in test/fixtures/upgrade contains', () => {
  const newest = globSync('*.backup', { cwd: fixtures }).toSorted().at(-1)?.slice(0, 4) ?? '';
  const contained = globSync('*.sql', { cwd: migrations }).filter((file) => file.slice(0, 4) <= newest);
  expect(Object.keys(frozen)).toEqual(expect.arrayContaining(contained));
});
