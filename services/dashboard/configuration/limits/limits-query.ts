import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../api/request.ts';

export type AccountLimits = { read: number; write: number; batch: number; mcp: number };

/** Requests a minute of each key of the account. */
export const limitsQuery = queryOptions({ queryKey: ['limits'], queryFn: () => ask<AccountLimits>('GET', '/limits') });
