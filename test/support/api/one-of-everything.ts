import type { PublicOperation } from '#shared/contract/operation.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import { plantDelivery } from '#test/support/webhooks/plant-delivery.ts';
import { jsonOf, type TestApi } from './api.ts';

/** One ID per path parameter, in the account of the live key. Both keys need all scopes. */
export async function makeThings(
  api: TestApi,
  keys: { live: string; test: string | null },
): Promise<Map<string, string>> {
  const call = async (path: string, body: unknown, key = keys.live) =>
    jsonOf(await api.post(path, body, { authorization: `Bearer ${key}` }));
  const ocean = () => ({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } });
  const ids = new Map<string, string>([
    ['carrier_code', 'MAEU'],
    ['proof_id', 'signature'],
    ['shipment_id', (await call('/v1/shipments', ocean())).shipment_id],
    ['api_key_id', (await call('/v1/api-keys', { name: 'spare', scopes: ['shipments:read'] })).api_key_id],
  ]);
  const at = new Date().toISOString();
  const pushed = { events: [{ source_name: 'yard', code: 'available_for_pickup', time: { at } }] };
  const [event] = (await call(`/v1/shipments/${ids.get('shipment_id')}/events`, pushed)).results;
  ids.set('event_id', event.shipments[0].event_id);
  ids.set('note_id', (await call(`/v1/shipments/${ids.get('shipment_id')}/notes`, { text: 'ours' })).note_id);
  ids.set('share_id', (await call(`/v1/shipments/${ids.get('shipment_id')}/shares`, {})).share_id);
  const endpoint = (await call('/v1/webhook-endpoints', { url: 'http://127.0.0.1:9/hooks' })).webhook_endpoint_id;
  ids.set('webhook_endpoint_id', endpoint);
  ids.set('delivery_id', await plantDelivery(api.ctx.core.store, endpoint, { sequence: 1 }));
  // Of nothing, so that it is done at once and another one can be started.
  ids.set('replay_id', (await call(`/v1/webhook-endpoints/${endpoint}/replay`, { to: 0 })).replay_id);
  const bulk = { action: 'archive', filter: { reference: ['nothing has this reference'] } };
  ids.set('bulk_action_id', (await call('/v1/bulk-actions', bulk)).bulk_action_id);
  // A second key gives lists a second page.
  await call('/v1/shipments', ocean());
  if (keys.test !== null) {
    const journey = { ...ocean(), identifiers: { mbl: 'TEST-JOURNEY' } };
    ids.set('test_shipment_id', (await call('/v1/shipments', journey, keys.test)).shipment_id);
  }
  const started = await api.request('/v1/imports', {
    method: 'POST',
    body: `${JSON.stringify(ocean())}\n`,
    headers: { authorization: `Bearer ${keys.live}`, 'content-type': 'application/x-ndjson' },
  });
  ids.set('import_id', (await jsonOf(started)).import_id);
  return ids;
}

export function pathParameters(operation: PublicOperation): string[] {
  return [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
}

/** The operation's address. Operations of test mode get the test shipment, if there is one. */
export function addressOf(operation: PublicOperation, ids: ReadonlyMap<string, string>): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = (operation.testKeysOnly === true ? ids.get(`test_${name}`) : undefined) ?? ids.get(name);
    if (id === undefined) throw new Error(`the test makes no ${name} for ${operation.path}`);
    return id;
  });
}
