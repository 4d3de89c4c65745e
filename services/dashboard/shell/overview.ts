import { queryOptions } from '@tanstack/react-query';
import type { WireOverview } from '#shared/contract/operations/overview-wire.ts';
import { call } from '../api/call.ts';
import { dayBounds, dayOf } from '../screens/shipments/list-plan.ts';

/** The counts of the account. */
export type Overview = WireOverview;

const refetchMs = 60_000;
/** On screens that show the counts. */
const refetchShownMs = 15_000;

/**
 * Refetched after changes in the feed. The interval covers counts that change with time, and pauses while the page is
 * hidden.
 */
export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => {
    const [from, to] = dayBounds(dayOf(Date.now()));
    return call('getOverview', { query: { day_from: from, day_to: to } });
  },
  refetchInterval: refetchMs,
});

export const shownOverviewQuery = queryOptions({ ...overviewQuery, refetchInterval: refetchShownMs });
