import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** Requests a minute of each key of the account, and what is used of them now. */
export const limitsQuery = queryOptions({ queryKey: ['limits'], queryFn: () => call('getLimits') });
