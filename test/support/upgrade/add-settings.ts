import { until } from '#test/support/until.ts';
import { type Api, type Call, successOf } from './calls-of.ts';

/**
 * An import with a mistake, free-time terms, credentials, a replay, and how shared pages look. Returns the paths that
 * show them.
 */
export async function addSettings(
  api: Api,
  { key, call, dashboard, endpoint }: { key: string; call: Call; dashboard: Call; endpoint: string },
): Promise<string[]> {
  const terms = [{ kind: 'demurrage', place: 'NLRTM', free_days: 5 }];
  await call('/v1/free-time-terms', { terms }, 'PUT');
  // No shipment is of this carrier, so that nothing asks it.
  await call('/v1/carriers/HDMU/credentials', { api_key: 'key' }, 'PUT');
  await dashboard('/share-settings', { name: 'Olga Freight', accent_color: '#0b5fff' }, 'PATCH');
  const replays = `/v1/webhook-endpoints/${endpoint}/replays`;
  const { replay_id: replay } = await call(`/v1/webhook-endpoints/${endpoint}/replay`, {}, 'POST');
  await until(
    () => call(`${replays}/${replay}`),
    ({ state }) => state === 'done',
  );
  const imported = await importRows(api, key);
  await until(
    () => call(imported),
    ({ state }) => state === 'completed',
  );
  return ['/v1/free-time-terms', `${replays}/${replay}`, imported];
}

/** A table with a row that is registered, and one whose carrier is unknown. Returns the path of the import. */
async function importRows(api: Api, key: string): Promise<string> {
  const number = String(Date.now() % 100_000_000).padStart(9, '0');
  const header = 'transport_mode,carrier,mbl,tracking_mode';
  const response = await fetch(`${api.url}/v1/imports`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: `${header}\nocean,MAEU,MAEU${number},pushed\nocean,no such carrier,MAEU9${number},pushed\n`,
  });
  const { import_id: id } = successOf('/v1/imports', response.status, await response.json());
  return `/v1/imports/${id}`;
}
