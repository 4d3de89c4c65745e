import { readFileSync } from 'node:fs';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { installationTable, type VoyageWeights } from './installation-sizes.ts';
import type { ModeResult } from './storage-report.ts';

/**
 * `node infra/tools/bench/storage/size-installations.ts <results of compare-storage --json> [--before]`: how far one machine
 * goes, computed from measured weights, as the table of docs/operate/performance.md.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { mode: { type: 'string', default: 'ocean' }, before: { type: 'boolean', default: false } },
});
const [file] = positionals;
if (file === undefined) throw new Error('name the file that compare-storage.ts wrote with --json');
const results = JSON.parse(readFileSync(file, 'utf8')) as ModeResult[];
const result = results.find(({ mode }) => mode === values.mode);
const measured = values.before ? result?.before : result?.now;
if (measured == null) throw new Error(`${file} has no ${values.before ? 'earlier ' : ''}results of ${values.mode}`);

/** Per shipment and bytes, of the tables whose names are given. */
const shipments = measured.finished.tables.find(({ table }) => table === 'shipments')?.rows ?? Number.NaN;
const of = (table: string) => measured.finished.tables.find((size) => size.table === table);
const total = (table: string) => {
  const size = of(table);
  if (size === undefined) return 0;
  return size.heapBytes + Object.values(size.indexBytes).reduce((sum, bytes) => sum + bytes, 0);
};
const weights: VoyageWeights = {
  finishedBytes: measured.finished.bytes,
  settledBytes: measured.packs ? measured.settled.bytes : null,
  eventBytes: (total('events') + total('readings')) / shipments,
  changeBytes: total('changes') / shipments,
  changes: (of('changes')?.rows ?? 0) / shipments,
  refreshesWithNews: measured.changedRefreshes,
  walWithNews: measured.changed,
  walWithoutNews: measured.unchanged,
};
process.stdout.write(`${installationTable(weights)}\n`);
