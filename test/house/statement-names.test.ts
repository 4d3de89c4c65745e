import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const store = fileURLToPath(new URL('../../shared/store', import.meta.url));

// A connection rejects a prepared name with another text, so a duplicate would fail only where both are used.
it('gives every prepared statement a name of its own', () => {
  const files = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const names = files.flatMap((file) =>
    [...readFileSync(join(store, file), 'utf8').matchAll(/\bname: (.+),\n\s*text:/g)].flatMap(([, given]) =>
      [...(given ?? '').matchAll(/'([a-z0-9-]+)'/g)].map(([, name]) => ({ name, file })),
    ),
  );
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter(({ name }, index) => names.findIndex((other) => other.name === name) !== index)).toEqual([]);
});
