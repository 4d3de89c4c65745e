import { markdown } from './storage-report.ts';

/** Size of one voyage in bytes; `settledBytes` null: this build packs nothing. */
export type VoyageWeights = {
  /** Everything of a finished voyage, with its changes. */
  finishedBytes: number;
  settledBytes: number | null;
  /** Of it: its events and what the carrier sent. */
  eventBytes: number;
  /** Of it: its changes, and how many they are. */
  changeBytes: number;
  changes: number;
  refreshesWithNews: number;
  walWithNews: number;
  walWithoutNews: number;
};

/** From the registration to the end of tracking, in days. */
const voyageDays = 45;
const refreshesADay = 4;
const feedDays = 30;
const settledAfterDays = 30;
const dayS = 86_400;
const activeCounts = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

export type InstallationSize = {
  active: number;
  refreshesPerS: number;
  changesInFeed: number;
  /** Voyages in progress, each half done, and the feed. */
  activeBytes: number;
  /** Size of the voyages that ended within a year. */
  yearBytes: number;
  walBytesADay: number;
};

/** The needs of an installation in which as many shipments begin as end. */
export function sizeOfInstallation(active: number, weights: VoyageWeights): InstallationSize {
  const begunADay = active / voyageDays;
  const changesInFeed = begunADay * feedDays * weights.changes;
  const changeBytes = weights.changes === 0 ? 0 : weights.changeBytes / weights.changes;
  const permanentBytes = weights.finishedBytes - weights.changeBytes;
  const halfDoneBytes = permanentBytes - weights.eventBytes / 2;
  const waitingDays = weights.settledBytes === null ? 365 : settledAfterDays;
  const settledDays = 365 - waitingDays;
  const newsADay = weights.refreshesWithNews / voyageDays;
  return {
    active,
    refreshesPerS: (active * refreshesADay) / dayS,
    changesInFeed,
    activeBytes: active * halfDoneBytes + changesInFeed * changeBytes,
    yearBytes: begunADay * (waitingDays * permanentBytes + settledDays * (weights.settledBytes ?? 0)),
    walBytesADay:
      active * (newsADay * weights.walWithNews + Math.max(0, refreshesADay - newsADay) * weights.walWithoutNews),
  };
}

/** The table of docs/operate/performance.md, but for its last column. */
export function installationTable(weights: VoyageWeights): string {
  const rows = activeCounts.map((active) => {
    const size = sizeOfInstallation(active, weights);
    return [
      active.toLocaleString('en-US'),
      twoDigits(size.refreshesPerS),
      countText(size.changesInFeed),
      bytesText(size.activeBytes),
      bytesText(size.yearBytes),
      bytesText(size.walBytesADay),
    ];
  });
  return markdown(
    [
      'active shipments',
      'refreshes/s',
      'changes in the feed',
      'disk, in progress and feed',
      'a year of history',
      'WAL a day',
    ],
    rows,
  );
}

function countText(count: number): string {
  if (count >= 1e9) return `${twoDigits(count / 1e9)} billion`;
  return count >= 1e6 ? `${twoDigits(count / 1e6)} million` : twoDigits(count);
}

function bytesText(bytes: number): string {
  const units = ['kB', 'MB', 'GB', 'TB', 'PB'];
  let [value, unit] = [bytes / 1000, 0];
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${twoDigits(value)} ${units[unit]}`;
}

/** Rounded to two significant digits, or three if it begins with a 1: what is computed is no more exact. */
function twoDigits(value: number): string {
  const digits = String(value)
    .replace(/^[0.]+/, '')
    .startsWith('1')
    ? 3
    : 2;
  return Number(value.toPrecision(digits)).toLocaleString('en-US', { maximumFractionDigits: 2 });
}
