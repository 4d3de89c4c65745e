import { queryOptions } from '@tanstack/react-query';
import type { WireOverview } from '#shared/contract/installation/overview-wire.ts';
import { call } from '../../api/call.ts';
import { dayOf } from './list-plan.ts';

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
  queryFn: () => call('getOverview', { query: { day: dayOf(Date.now()) } }),
  refetchInterval: refetchMs,
});

export const shownOverviewQuery = queryOptions({ ...overviewQuery, refetchInterval: refetchShownMs });
