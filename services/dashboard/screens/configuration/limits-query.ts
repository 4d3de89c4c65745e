import { queryOptions } from '@tanstack/react-query';
import type { WireLimits } from '#shared/contract/operations/overview-wire.ts';
import { ask } from '../../api/request.ts';

/** Requests a minute of each key of the account, and what is used of them now. */
export const limitsQuery = queryOptions({ queryKey: ['limits'], queryFn: () => ask<WireLimits>('GET', '/limits') });
