import { queryOptions } from '@tanstack/react-query';
import { listCarriers } from '../../api/landfall-client.ts';
import { answerOf } from '../../api/request.ts';
import { ofAccount } from '../keys/keys-query.ts';

/** Credentials are of the account: whoever looks at test shipments sees them too. */
export const carriersQuery = queryOptions({
  queryKey: ['carriers', 'access'],
  queryFn: async () => (await answerOf(listCarriers({}, ofAccount))).data,
});
