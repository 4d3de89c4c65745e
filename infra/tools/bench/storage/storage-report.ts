import { median } from '../interleave.ts';
import { indexBytes, type TableSize, totalBytes } from '../measure/table-sizes.ts';
import type { SettledWeights, StorageRates, StorageWeights } from './storage-side.ts';

/** One build. `rates`: a round each, of finished voyages; `settledRates`: after they were packed. */
export type Measured = StorageWeights & SettledWeights & { rates: StorageRates[]; settledRates: StorageRates[] };
/** One mode, in this build and in the one before. */
export type ModeResult = { mode: string; now: Measured; before: Measured | null };

/** Rows, table without out-of-line values, TOAST, indexes and total of each table, of this build and the one before. */
export function tableOfTables({ now, before }: ModeResult, shipments: number): string {
  const per = (bytes: number) => number(bytes / shipments);
  const names = new Set([now, before].flatMap((side) => side?.finished.tables.map(({ table }) => table) ?? []));
  const sizeOf = (side: Measured | null, table: string): TableSize | undefined =>
    side?.finished.tables.find((size) => size.table === table);
  const total = (table: string) => [now, before].map((side) => totalOf(sizeOf(side, table)));
  const rows = [...names]
    .filter((table) => Math.max(...total(table)) >= shipments)
    .toSorted((one, other) => Math.max(...total(other)) - Math.max(...total(one)))
    .map((table) => {
      const [size, old] = [sizeOf(now, table), sizeOf(before, table)];
      return [
        `\`${table}\``,
        ((size ?? old)?.rows ?? 0) / shipments < 0.05 ? '' : decimal(((size ?? old)?.rows ?? 0) / shipments),
        per((size?.heapBytes ?? 0) - (size?.toastBytes ?? 0)),
        per(size?.toastBytes ?? 0),
        per(size === undefined ? 0 : indexBytes(size)),
        per(totalOf(size)),
        before === null ? '–' : per(totalOf(old)),
      ];
    });
  const all = (side: Measured | null) => (side === null ? '–' : number(side.finished.bytes));
  return markdown(
    ['table', 'rows', 'table', 'TOAST', 'indexes', 'total', 'before'],
    [...rows, ['total', '', '', '', '', all(now), all(before)]],
  );
}

/** Formats the bytes of a voyage of each mode. */
export function modeTable(results: readonly ModeResult[]): string {
  const rows = results.flatMap(({ mode, now, before }) => {
    const line = (name: string, side: Measured) => [
      name,
      decimal(side.changedRefreshes),
      number(side.finished.bytes),
      number(side.settled.bytes),
      number(side.finished.backupBytes),
      number(side.settled.backupBytes),
      number(side.changed),
      number(side.unchanged),
    ];
    return [line(mode, now), ...(before === null ? [] : [line(`${mode}, before`, before)])];
  });
  return markdown(
    [
      'mode',
      'refreshes with news',
      'finished',
      'settled',
      'in a backup, finished',
      'in a backup, settled',
      'WAL, refresh with news',
      'WAL, without',
    ],
    rows,
  );
}

/** The goals of an ocean voyage beside what was measured. */
export function goalTable(results: readonly ModeResult[]): string {
  const ocean = results.find(({ mode }) => mode === 'ocean');
  if (ocean === undefined) return 'not measured: no ocean voyages';
  const { now, before } = ocean;
  const rows = [
    bytesGoal(
      'finished ocean voyage, changes kept',
      { now: now.finished.bytes, before: before?.finished.bytes },
      45_000,
    ),
    bytesGoal('the same, settled', { now: now.settled.bytes, before: before?.settled.bytes }, 15_000),
    shareGoal('WAL of a refresh with news, bytes', { now: now.changed, before: before?.changed }, 0.25),
    shareGoal('WAL of a refresh without news, bytes', { now: now.unchanged, before: before?.unchanged }, null),
    shareGoal(
      'backup of 10,000 finished voyages, bytes',
      { now: now.finished.backupBytes * 10_000, before: before && before.finished.backupBytes * 10_000 },
      0.25,
    ),
    rateGoal('events per second, finished', now.rates, before?.rates, ({ eventsPerS }) => eventsPerS),
    rateGoal('events per second, settled', now.settledRates, before?.settledRates, ({ eventsPerS }) => eventsPerS),
    rateGoal('`as_of` per second, finished', now.rates, before?.rates, ({ asOfPerS }) => asOfPerS),
    rateGoal('`as_of` per second, settled', now.settledRates, before?.settledRates, ({ asOfPerS }) => asOfPerS),
  ];
  return markdown(['goal', 'before', 'now', 'ratio', 'target', ''], rows);
}

type Pair = { now: number; before: number | null | undefined };

function bytesGoal(goal: string, { now, before }: Pair, atMost: number): string[] {
  return [goal, shown(before), number(now), ratioText(now, before), `≤ ${number(atMost)}`, verdict(now <= atMost)];
}

function shareGoal(goal: string, { now, before }: Pair, share: number | null): string[] {
  const target = share === null ? '–' : `≤ ${share}`;
  const met = share === null || before == null ? '' : verdict(now / before <= share);
  return [goal, shown(before), number(now), ratioText(now, before), target, met];
}

/** Ratios round by round: the median, the lowest and the highest. */
function rateGoal(
  goal: string,
  now: readonly StorageRates[],
  before: readonly StorageRates[] | undefined,
  rateOf: (rates: StorageRates) => number,
): string[] {
  const [rates, old] = [now.map(rateOf), before?.map(rateOf) ?? null];
  if (old === null) return [goal, '–', number(median(rates)), '–', '≥ 0.8', ''];
  const ratios = rates.map((rate, round) => rate / (old[round] ?? Number.NaN));
  const spread = `${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
  return [goal, number(median(old)), number(median(rates)), spread, '≥ 0.8', verdict(median(ratios) >= 0.8)];
}

function totalOf(size: TableSize | undefined): number {
  return size === undefined ? 0 : totalBytes(size);
}

function ratioText(now: number, before: number | null | undefined): string {
  return before == null ? '–' : (now / before).toFixed(2);
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'missed';
}

function shown(value: number | null | undefined): string {
  return value == null ? '–' : number(value);
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function decimal(value: number): string {
  return value.toFixed(1).replace(/\.0$/, '');
}

/** A table as it stands in the documentation. */
export function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n');
}
