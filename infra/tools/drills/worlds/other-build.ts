import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { projectFolder } from '#infra/data-folder.ts';

/** Folders without sources. */
const left = new Set(['node_modules', 'dist']);

/**
 * A copy of this build as another release: another version, and another text format of records, so that each of the two
 * reads what the other one wrote.
 */
export function copyAsOtherBuild(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-drill-build-'));
  for (const name of ['infra', 'services', 'shared'])
    cpSync(join(projectFolder, name), join(folder, name), {
      recursive: true,
      filter: (path) => !left.has(basename(path)),
    });
  cpSync(join(projectFolder, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  change(folder, 'package.json', /"version": "[^"]+"/, '"version": "999.0.0"');
  change(folder, 'shared/contract/record/shipment-wire.ts', /journeyShape = \d+;/, 'journeyShape = 999;');
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function change(folder: string, file: string, from: RegExp, to: string): void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (!from.test(text)) throw new Error(`${file} has nothing that matches ${from}`);
  writeFileSync(path, text.replace(from, to));
}
