import { queryOptions } from '@tanstack/react-query';
import type { WireSignIns } from '#shared/contract/people/session-wire.ts';
import { ask } from '../../api/request.ts';

/** A place where one is signed in. */
export type SignIn = WireSignIns['data'][number];

export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: async () => (await ask<WireSignIns>('GET', '/sessions')).data,
});
