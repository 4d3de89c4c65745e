import { queryOptions } from '@tanstack/react-query';
import type { Limits } from '#shared/domain/limits.ts';
import { ask } from '../../api/request.ts';

/** Requests a minute of each key of the account. */
export const limitsQuery = queryOptions({ queryKey: ['limits'], queryFn: () => ask<Limits>('GET', '/limits') });
