import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const store = fileURLToPath(new URL('../../shared/store', import.meta.url));

// A connection that has prepared a name refuses it for another text: two statements of one name fail only where both are used.
it('no two prepared statements have one name', () => {
  const files = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const names = files.flatMap((file) =>
    [...readFileSync(join(store, file), 'utf8').matchAll(/\bname: (.+),\n\s*text:/g)].flatMap(([, given]) =>
      [...(given ?? '').matchAll(/'([a-z0-9-]+)'/g)].map(([, name]) => ({ name, file })),
    ),
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter(({ name }, index) => names.findIndex((other) => other.name === name) !== index)).toEqual([]);
});
