import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { biomeFile } from '#infra/house/biome-file.ts';
import { importRulesDoc } from '#infra/house/import-rules-doc.ts';
import { configurationDoc } from '#infra/scripts/configuration-doc.ts';
import { credentialsDoc } from '#infra/scripts/credentials-doc.ts';

// The OpenAPI document is compared by its own tests, and infra/schema.sql by one that has a database.
it.each([
  ['biome.json', biomeFile],
  ['docs/reference/import-rules.md', importRulesDoc],
  ['docs/reference/configuration.md', configurationDoc],
  ['docs/reference/credentials.md', credentialsDoc],
])('%s is the output of npm run generate', (name, generate) => {
  const { path, text } = generate();
  expect(readFileSync(path, 'utf8'), `${name} is out of date: run npm run generate`).toBe(text);
});
