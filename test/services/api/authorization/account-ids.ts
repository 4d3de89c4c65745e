import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import type { ProofKind } from '#shared/domain/events/event.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { Json, TestApi } from '#test/support/api/api.ts';
import type { SignedInMember } from '#test/support/browser/dashboard.ts';
import { plantProof } from '#test/support/carriers/plant-proof.ts';
import { uniqueNumber } from '#test/support/core-context.ts';
import {
  authorizeUrl,
  connect,
  newPkce,
  openAuthorize,
  registerClient,
  requestOf,
} from '#test/support/oauth/oauth-api.ts';
import { plantDelivery } from '#test/support/webhooks/plant-delivery.ts';

export const modes = ['live', 'test'] as const;
export type Mode = (typeof modes)[number];

type IdKind = {
  /** Of its public form. Null: the id is a word. */
  prefix: string | null;
  /** Live and test mode have different ones, and neither finds those of the other. */
  ofMode?: true;
};

/** Each kind of id that a request can name. */
export const idKinds = {
  shipment_id: { prefix: 'shp', ofMode: true },
  event_id: { prefix: 'evt', ofMode: true },
  proof_id: { prefix: null, ofMode: true },
  import_id: { prefix: 'imp', ofMode: true },
  note_id: { prefix: 'note', ofMode: true },
  share_id: { prefix: 'shr', ofMode: true },
  bulk_action_id: { prefix: 'blk', ofMode: true },
  webhook_endpoint_id: { prefix: 'whe', ofMode: true },
  delivery_id: { prefix: 'dlv', ofMode: true },
  replay_id: { prefix: 'rpl', ofMode: true },
  view_id: { prefix: 'view', ofMode: true },
  alert_id: { prefix: 'alr', ofMode: true },
  message_id: { prefix: 'msg', ofMode: true },
  api_key_id: { prefix: 'key' },
  app_id: { prefix: 'app' },
  member_id: { prefix: 'user' },
  invite_id: { prefix: 'inv' },
  session_id: { prefix: 'ses' },
} as const satisfies Record<string, IdKind>;
export type IdKindName = keyof typeof idKinds;

/** Values in the place of an id that belong to no account. */
export const sharedValues: Readonly<Record<string, string>> = {
  carrier_code: 'MAEU',
  channel: 'slack',
  trace_id: '0af7651916cd43dd8448eb211c80319c',
};

/** Throws for a kind that this file can't create for an account. */
export function idKindOf(name: string): IdKind {
  const kind = (idKinds as Record<string, IdKind>)[name];
  if (kind === undefined) throw new Error(`Add ${name} to idKinds, with a way to create one`);
  return kind;
}

export function unknownId(kind: string): string {
  const { prefix } = idKindOf(kind);
  return prefix === null ? 'video' : encodeTypeId(prefix, '01890a5d-ac96-774b-bcce-b302099a8057');
}

/** One id of each kind in an account and mode. `secrets`: texts besides ids that no other account may see. */
export type AccountIds = Record<IdKindName, string> & { app_request: string; secrets: string[] };

export type Planting = { mode: Mode; proof: ProofKind; memberId: string };

/** Creates one of each kind through the dashboard's operations, as an owner. */
export async function plantAccount(api: TestApi, owner: SignedInMember, planting: Planting): Promise<AccountIds> {
  const { mode, proof, memberId } = planting;
  const ask = async (path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Json> => {
    const asked = { ...(body !== undefined && { body }), headers: { 'landfall-mode': mode, ...headers } };
    const answer = await owner.ask(`/dashboard/api${path}`, asked);
    if (answer.status >= 300) throw new Error(`${path} was answered ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const mbl = mode === 'test' ? 'TEST-JOURNEY' : uniqueNumber();
  const secret = `ref-${uniqueNumber()}`;
  const registered = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl }, reference: secret };
  const { shipment_id: shipmentId } = await ask('/v1/shipments', registered);
  const ofShipment = `/v1/shipments/${shipmentId}`;
  const subject = { accountId: owner.accountId, shipmentId: readShipmentId(shipmentId) ?? '' };
  const time = { at: new Date().toISOString() };
  const events = [{ source_name: 'yard', code: 'notice', available: true, time }];
  const pushed = await ask(`${ofShipment}/events`, { events });
  const row = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } };
  const ndjson = { 'content-type': 'application/x-ndjson' };
  const endpoint = (await ask('/v1/webhook-endpoints', { url: 'http://127.0.0.1:9/hooks' })).webhook_endpoint_id;
  const view = { name: secret, shared: true, search: {}, filter: { tag: ['red'] }, sort: 'eta' };
  const viewId = (await ask('/saved-views', view)).id;
  const alert = { view_id: viewId, rules: { enters: true }, channels: ['email'], timing: 'daily' };
  const nothing = { action: 'archive', filter: { reference: ['nothing has this reference'] } };
  const ids = {
    shipment_id: shipmentId,
    proof_id: await plantProof(api.ctx.core, subject, proof),
    event_id: pushed.results[0].shipments[0].event_id,
    import_id: (await ask('/v1/imports', row, ndjson)).import_id,
    note_id: (await ask(`${ofShipment}/notes`, { text: secret })).note_id,
    share_id: (await ask(`${ofShipment}/shares`, {})).share_id,
    bulk_action_id: (await ask('/v1/bulk-actions', nothing)).bulk_action_id,
    webhook_endpoint_id: endpoint,
    delivery_id: await plantDelivery(api.ctx.core.store, endpoint, { sequence: 1 }),
    replay_id: (await ask(`/v1/webhook-endpoints/${endpoint}/replay`, { to: 0 })).replay_id,
    view_id: viewId,
    alert_id: (await ask('/alerts', alert)).id,
    message_id: (await ask('/alert-preferences/trial', { channel: 'email' })).message_id,
    api_key_id: (await ask('/v1/api-keys', { name: secret, scopes: ['shipments:read'] })).api_key_id,
    invite_id: (await ask('/invites', { email: `${secret}@example.test`, role: 'viewer' })).id,
    session_id: (await ask('/sessions')).data[0].id,
    member_id: memberId,
  };
  await connect(api, owner, ids.api_key_id);
  const app = (await ask(`/api-keys/${ids.api_key_id}/apps`)).data[0].id;
  const asking = authorizeUrl(api, await registerClient(api), newPkce());
  const request = requestOf(await openAuthorize(asking, owner));
  return { ...ids, app_id: app, app_request: request, secrets: [secret, mode === 'test' ? secret : mbl, owner.email] };
}
