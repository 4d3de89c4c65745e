import { queryOptions } from '@tanstack/react-query';
import { ask } from '../api/request.ts';

/** The account at a glance: counts that every screen shows a part of. */
export type Overview = {
  statuses: readonly { status: string; count: number; late: number }[];
  current: number;
  needs_you: number;
  exceptions: number;
  stale: number;
  arriving_today: number;
  failures: readonly { reason: string; state: string; count: number }[];
};

const renewMs = 5000;

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => ask<Overview>('GET', '/overview'),
  refetchInterval: renewMs,
});
