import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { configurationDoc } from '#infra/scripts/configuration-doc.ts';

// The OpenAPI document is compared by its own tests, and infra/schema.sql by one that has a database.
it('docs/configuration.md is what npm run generate writes', () => {
  const { path, text } = configurationDoc();
  expect(readFileSync(path, 'utf8'), 'docs/configuration.md is out of date: run npm run generate').toBe(text);
});
