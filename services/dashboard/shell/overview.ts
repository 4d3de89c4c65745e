import { queryOptions } from '@tanstack/react-query';
import type { WireOverview } from '#shared/contract/dashboard/overview-wire.ts';
import { ask } from '../api/request.ts';

/** The account at a glance: counts that every screen shows a part of. */
export type Overview = WireOverview;

const renewMs = 5000;

export const overviewQuery = queryOptions({
  queryKey: ['overview'],
  queryFn: () => ask<Overview>('GET', '/overview'),
  refetchInterval: renewMs,
});
