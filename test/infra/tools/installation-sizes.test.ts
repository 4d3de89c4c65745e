import { expect, it } from 'vitest';
import {
  installationTable,
  sizeOfInstallation,
  type VoyageWeights,
} from '#infra/tools/bench/storage/installation-sizes.ts';
import { walPerRefresh } from '#infra/tools/bench/storage/wal-per-refresh.ts';

/** The weights of a build that packed nothing: 28 changes and 47 events a voyage. */
const weights: VoyageWeights = {
  finishedBytes: 194_068,
  settledBytes: null,
  eventBytes: 110_080,
  changeBytes: 63_386,
  changes: 28,
  refreshesWithNews: 14,
  walWithNews: 60_000,
  walWithoutNews: 2000,
};

it('computes the size of an installation from the weights of a voyage', () => {
  const size = sizeOfInstallation(1_000_000, weights);
  expect(size.refreshesPerS).toBeCloseTo(46.3, 1);
  expect(size.changesInFeed / 1e6).toBeCloseTo(18.7, 1);
  expect(size.activeBytes / 1e9).toBeCloseTo(118, 0);
  expect(size.yearBytes / 1e12).toBeCloseTo(1.06, 2);
  expect(size.walBytesADay / 1e9).toBeCloseTo(1000 * (14 / 45) * 0.06 + (4 - 14 / 45) * 2, 5);
  expect(sizeOfInstallation(100_000_000, weights).yearBytes).toBeCloseTo(100 * size.yearBytes, -3);
});

it('counts a settled voyage at its settled weight after a month', () => {
  const settled = sizeOfInstallation(45, { ...weights, settledBytes: 10_000 });
  expect(settled.yearBytes).toBe(30 * (194_068 - 63_386) + 335 * 10_000);
});

it('writes the table that the documentation shows', () => {
  expect(installationTable(weights).split('\n').at(-1)).toMatch(
    /^\| 100,000,000 +\| 4,600 +\| 1\.87 billion +\| 11\.8 TB +\| 106 TB +\| 2\.6 TB +\|$/,
  );
});

it('separates the log of refreshes with news from that of others', () => {
  const passes = [
    { changed: 10, unchanged: 2 },
    { changed: 1, unchanged: 11 },
    { changed: 0, unchanged: 12 },
    { changed: 0, unchanged: 3 },
  ].map((pass) => ({ ...pass, bytes: pass.changed * 5000 + pass.unchanged * 300 }));
  expect(walPerRefresh(passes)).toEqual({ changed: 5000, unchanged: 300 });
  expect(walPerRefresh(passes.slice(2))).toEqual({ changed: Number.NaN, unchanged: 300 });
  expect(walPerRefresh([{ changed: 2, unchanged: 0, bytes: 8000 }])).toEqual({ changed: 4000, unchanged: Number.NaN });
});
