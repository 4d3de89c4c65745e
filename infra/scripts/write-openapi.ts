import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { openApiFiles } from './openapi-files.ts';

for (const { path, text } of openApiFiles()) {
  writeFileSync(path, text);
  process.stdout.write(`${path} is written\n`);
}
