import type { CoreContext } from '#shared/core/core-context.ts';
import { beginRefresh } from '#shared/core/tracking/begin-refresh.ts';
import {
  type FetchedRefresh,
  prepareRefresh,
  type RecordedRefresh,
  type Work,
} from '#shared/core/tracking/fetched-refresh.ts';
import { recordRefreshes } from '#shared/core/tracking/record-refreshes.ts';
import { asQuietRefresh, type QuietRefresh, recordUnchanged } from '#shared/core/tracking/record-unchanged.ts';
import type { RefreshClaim, RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import { gather } from './gather.ts';

/** The way of all refreshes of a worker to the database and back, many at once. */
export type RefreshFlow = {
  /** Renews the lease; null: the claim is somebody else's by now. */
  begin: (claim: RefreshClaim) => Promise<RefreshSubject | null>;
  record: (taken: FetchedRefresh) => Promise<RecordedRefresh>;
};

const mostClaims = 500;
const mostQuiet = 500;
/** A transaction of so many holds its locks for some 50 ms. */
const mostNews = 50;

/**
 * Refreshes that somebody may be waiting for go to the database by themselves: behind what a sweep brought they would wait for all of it. The
 * statements, and the fence in each, are the same.
 */
export function openRefreshFlow(core: CoreContext): RefreshFlow {
  const usual = openWay(core, { claims: 2, quiet: 2, news: 3 });
  const hurried = openWay(core, { claims: 1, quiet: 1, news: 2 });
  return {
    begin: (claim) => (claim.hurried === true ? hurried : usual).begin(claim),
    record: (taken) => (taken.subject.hurried === true ? hurried : usual).record(taken),
  };
}

function openWay(core: CoreContext, lanes: { claims: number; quiet: number; news: number }): RefreshFlow {
  const begin = gather<RefreshClaim, RefreshSubject | null>(
    (claims) => {
      const begun = beginRefresh(core, claims).then(
        (subjects) => new Map(subjects.map((subject) => [subject.shipmentId, subject])),
      );
      return claims.map(async (claim) => {
        const subject = (await begun).get(claim.shipmentId);
        return subject?.epoch === claim.epoch
          ? { ...subject, requested: claim.requested === true, hurried: claim.hurried === true }
          : null;
      });
    },
    { most: mostClaims, lanes: lanes.claims },
  );
  const recordQuiet = gather<QuietRefresh, boolean>(
    (refreshes) => {
      const recorded = recordUnchanged(core, refreshes).catch((error: unknown) => {
        core.log.warn(
          { err: error, refreshes: refreshes.length },
          'unchanged refreshes could not be recorded together; each is recorded by itself',
        );
        return [];
      });
      return refreshes.map(async (_, index) => (await recorded)[index] === true);
    },
    { most: mostQuiet, lanes: lanes.quiet },
  );
  const recordNews = gather<Work, RecordedRefresh>((works) => recordRefreshes(core, works), {
    most: mostNews,
    lanes: lanes.news,
  });

  return {
    begin,
    record: async (taken) => {
      const work = prepareRefresh(core, taken);
      const quiet = asQuietRefresh(work);
      if (quiet !== null && (await recordQuiet(quiet))) return { outcome: 'unchanged', stale: false };
      return recordNews(work);
    },
  };
}
