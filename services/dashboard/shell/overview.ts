import { queryOptions } from '@tanstack/react-query';
import type { WireOverview } from '#shared/contract/operations/overview-wire.ts';
import { call } from '../api/call.ts';
import { dayBounds, dayOf } from '../screens/shipments/list-plan.ts';

/** The account at a glance: counts that every screen shows a part of. */
export type Overview = WireOverview;

const renewMs = 60_000;
/** Where the counts stand in full. */
const renewShownMs = 15_000;

/** Renewed with the news of the feed; by the clock only for what time alone changes, and never while nobody refreshes. */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => {
    const [from, to] = dayBounds(dayOf(Date.now()));
    return call('getOverview', { query: { day_from: from, day_to: to } });
  },
  refetchInterval: renewMs,
});

export const shownOverviewQuery = queryOptions({ ...overviewQuery, refetchInterval: renewShownMs });
