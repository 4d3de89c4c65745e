import { queryOptions } from '@tanstack/react-query';
import { type ApiKey, type ApiKeyList, listApiKeys } from '../../../api/landfall-client.ts';
import { answerOf } from '../../../api/request.ts';

const pageSize = 100;

/** Keys belong to the account: whoever looks at test shipments sees the live ones too. */
export const ofAccount = { headers: { 'landfall-mode': 'live' } };

export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: readAll,
  refetchInterval: 60_000,
});

async function readAll(): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  let cursor: string | null = null;
  do {
    const page: ApiKeyList = await answerOf(
      listApiKeys({ limit: pageSize, ...(cursor === null ? {} : { cursor }) }, ofAccount),
    );
    keys.push(...page.data);
    cursor = page.page.next_cursor;
  } while (cursor !== null);
  return keys;
}
