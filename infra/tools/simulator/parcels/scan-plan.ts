import type { Random } from '../voyages/random.ts';
import type { City } from './cities.ts';
import type { Scan, ScanKind } from './scans.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Adds scans one after another. `piece` continues the journey of one piece from where all pieces are. */
export type Plan = {
  scans: Scan[];
  scan: (kind: ScanKind, city: City, afterH: number, final?: boolean) => void;
  piece: (index: number) => Omit<Plan, 'piece'>;
};

/** An empty plan. */
export function beginPlan(random: Random): Plan {
  const scans: Scan[] = [];
  let atMs = 0;
  const add = (scan: Omit<Scan, 'reportedMs'>): void => {
    scans.push({ ...scan, reportedMs: scan.atMs + random.whole(0, 12) * minuteMs });
  };
  const after = (fromMs: number, hours: number): number =>
    fromMs + Math.max(1, Math.round((hours * hourMs) / minuteMs)) * minuteMs;
  return {
    scans,
    scan: (kind, city, afterH, final = false) => {
      atMs = after(atMs, afterH);
      add({ kind, city, atMs, final, piece: null });
    },
    piece: (piece) => {
      let ownMs = atMs;
      return {
        scans,
        scan: (kind, city, afterH, final = false) => {
          ownMs = after(ownMs, afterH);
          add({ kind, city, atMs: ownMs, final, piece });
        },
      };
    },
  };
}
