import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import { projectFolder } from '../data-folder.ts';
import { biomeFile } from '../house/biome-file.ts';
import { importRulesDoc } from '../house/import-rules-doc.ts';
import { configurationDoc } from './configuration-doc.ts';
import { credentialsDoc } from './credentials-doc.ts';
import { generateSchema } from './generate-schema.ts';
import { openApiFiles } from './openapi-files.ts';

// Everything in the repository that is derived from something else in it. Tests compare each file with its source.
for (const { path, text } of [
  biomeFile(),
  importRulesDoc(),
  configurationDoc(),
  credentialsDoc(),
  ...openApiFiles(),
  await generateSchema(),
]) {
  const isCurrent = existsSync(path) && readFileSync(path, 'utf8') === text;
  if (!isCurrent) writeFileSync(path, text);
  process.stdout.write(`${relative(projectFolder, path)}: ${isCurrent ? 'unchanged' : 'written'}\n`);
}
