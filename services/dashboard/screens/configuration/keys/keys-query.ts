import { queryOptions } from '@tanstack/react-query';
import { call, ofAccount } from '../../../api/call.ts';
import type { WireApiKey, WireApiKeyList } from '../../../api/wire.ts';

const pageSize = 100;
const refetchMs = 60_000;

/** Every API key of the account. */
export const keysQuery = queryOptions({ queryKey: ['api-keys'], queryFn: readKeys, refetchInterval: refetchMs });

/** Reads them page by page. */
export async function readKeys(): Promise<WireApiKey[]> {
  const keys: WireApiKey[] = [];
  let cursor: string | null = null;
  do {
    const query = { limit: pageSize, ...(cursor === null ? {} : { cursor }) };
    const page: WireApiKeyList = await call('listApiKeys', { query }, ofAccount);
    keys.push(...page.data);
    cursor = page.page.next_cursor;
  } while (cursor !== null);
  return keys;
}
