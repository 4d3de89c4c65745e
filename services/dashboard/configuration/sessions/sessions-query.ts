import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../api/request.ts';

/** A place where one is signed in. */
export type SignIn = {
  id: string;
  current: boolean;
  address: string | null;
  user_agent: string | null;
  created_at: string;
  expires_at: string;
};

export const signInsQuery = queryOptions({
  queryKey: ['sign-ins'],
  queryFn: async () => (await ask<{ data: SignIn[] }>('GET', '/sessions')).data,
});
