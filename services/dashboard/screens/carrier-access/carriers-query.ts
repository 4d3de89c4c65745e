import { queryOptions } from '@tanstack/react-query';
import { type Carrier, listCarriers } from '../../api/landfall-client.ts';
import { answerOf } from '../../api/request.ts';
import { ofAccount } from '../keys/keys-query.ts';
import { trialOf } from './access-words.ts';

/** Credentials are of the account: whoever looks at test shipments sees them too. */
export const carriersQuery = queryOptions({
  queryKey: ['carriers', 'access'],
  queryFn: async () => (await answerOf(listCarriers({}, ofAccount))).data,
  // Credentials that were just stored are tried within seconds: what the carrier says is shown as it comes.
  refetchInterval: ({ state }) => (state.data?.some(isBeingTried) === true ? 2000 : false),
});

const triedWithinMs = 120_000;

function isBeingTried(carrier: Carrier): boolean {
  const { updated_at: setAt } = carrier.credentials;
  return trialOf(carrier)?.outcome === 'not_yet' && setAt !== null && Date.now() - Date.parse(setAt) < triedWithinMs;
}
