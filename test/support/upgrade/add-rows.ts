import { grantableScopes } from '#shared/domain/caller.ts';
import type { Json } from '#test/support/api/api.ts';
import { type Browser, openBrowser } from '#test/support/browser/dashboard.ts';
import { until } from '#test/support/until.ts';
import type { Receiver } from '#test/support/webhooks/receiver.ts';
import { addSettings } from './add-settings.ts';
import { type Api, type Call, callsOf, successOf } from './calls-of.ts';

/** Ids of the added rows that `readFacts` reads. */
export type Added = {
  owner: Browser;
  /** With every scope. */
  key: string;
  ways: { shipment_id: string; from: string; to: string }[];
  arrived: string[];
  bulkActions: string[];
  endpoints: string[];
  accountId: string;
  /** Closed, and settled by `addStoredRows`. */
  settled: string;
  /** Paths of the other rows. */
  paths: string[];
};

const hourMs = 3_600_000;
const hoursFromNow = (hours: number): string => new Date(Date.now() + hours * hourMs).toISOString();

/** Adds rows of every kind, and waits until a worker has done what follows from them. */
export async function addRows(api: Api, { facts, receiver }: { facts: Json; receiver: Receiver }): Promise<Added> {
  const startedAt = new Date().toISOString();
  const owner = await signIn(api, facts.owner);
  const dashboard: Call = async (path, body, method) => {
    const { status, body: answer } = await owner.ask(`/dashboard/api${path}`, { body, ...(method && { method }) });
    return successOf(path, status, answer);
  };
  const { secret } = await dashboard('/v1/api-keys', { name: 'of this schema', scopes: grantableScopes });
  const call = callsOf(api, secret);
  const endpoints: string[] = [];
  for (const name of ['accepting', 'failing'])
    endpoints.push((await call('/v1/webhook-endpoints', { url: receiver.urlOf(name) })).webhook_endpoint_id);

  await dashboard('/alert-preferences/channels/webhook', { url: receiver.urlOf('alerts') }, 'PUT');
  const view = { name: 'On the way', shared: true, search: {}, filter: { status: ['in_transit'] }, sort: 'eta' };
  const { id: viewId } = await dashboard('/saved-views', view);
  const rules = { enters: true, statuses: ['in_transit', 'delivered'] };
  await dashboard('/alerts', { view_id: viewId, rules, channels: ['email', 'webhook'], timing: 'at_once' });

  const ways = await registerMoving(call);
  const arrived = await registerArrived(call);
  await call('/v1/shipments', ocean('MAEU', { tracking: undefined }));
  await push(call, ocean('HLCU'), [
    { code: 'departed', time: { at: hoursFromNow(-50) }, location: { unlocode: 'CNSHA' } },
    { vehicle: { name: 'Caroline', position: { lat: 12.5, lng: 80.5, at: hoursFromNow(-1) } } },
  ]);
  await call(`/v1/shipments/${ways[0]?.shipment_id}/shares`, {});

  await talk(api, { call, dashboard, on: [ways[0]?.shipment_id ?? '', arrived[0] ?? ''], facts });
  const bulkActions = await changeMany(call, [...ways.map((way) => way.shipment_id), ...arrived]);
  const paths = await addSettings(api, { key: secret, call, dashboard, endpoint: endpoints[0] ?? '' });

  const addedAt = new Date().toISOString();
  const isNew = ({ kind, created_at: at }: Json) => kind === 'changes' && at > startedAt;
  const deliveries = () => call(`/v1/webhook-endpoints/${endpoints[0]}/deliveries?limit=100`);
  await until(deliveries, ({ data }) => data.length > 20 && data.every(({ outcome }: Json) => outcome === 'delivered'));
  await receiver.until((received) => received.some(({ path }) => path === '/failing'));
  for (const report of ['arrivals', 'tracking'])
    await until(
      () => call(`/v1/analytics/${report}`),
      ({ complete, as_of, measured_at }) => complete && as_of > addedAt && measured_at !== null,
    );
  for (const state of ['sent', 'dropped'])
    await until(
      () => dashboard('/alert-messages'),
      ({ data }) => data.some((message: Json) => isNew(message) && message.state === state),
    );
  const { account } = await call('/v1/me');
  const settled = arrived.at(-1) ?? '';
  return { owner, key: secret, ways, arrived, bulkActions, endpoints, paths, accountId: account.account_id, settled };
}

async function signIn(api: Api, person: { email: string; password: string }): Promise<Browser> {
  const signedIn = async (headers: Record<string, string>) => {
    const browser = openBrowser(api, headers);
    await browser.ask('/dashboard/api/auth/sign-in/email', { body: person });
    return browser;
  };
  const { body } = await (await signedIn({})).ask('/dashboard/api/session');
  return signedIn({ 'landfall-account': body.accounts[0].id });
}

let numbers = Date.now() % 100_000_000;

function ocean(carrier: string, more: object = {}): object {
  numbers += 1;
  const mbl = `${carrier}${String(numbers).padStart(9, '0')}`;
  const tracking = { mode: 'pushed' };
  return { transport_mode: 'ocean', carrier, identifiers: { mbl }, tags: ['added'], tracking, ...more };
}

async function push(call: Call, shipment: object, rows: object[]): Promise<string> {
  const { shipment_id: id } = await call('/v1/shipments', shipment);
  await call(`/v1/shipments/${id}/events`, { events: rows.map((row) => ({ source_name: 'line', ...row })) });
  return id;
}

/** On the way by ship and train: each left one place, and its ETA at the next one is known. */
async function registerMoving(call: Call): Promise<Added['ways']> {
  const trips = [
    ['ocean', 'HLCU', 'CNSHA', 'NLRTM', 'departed', 'arrived'],
    ['ocean', 'MAEU', 'SGSIN', 'USLAX', 'departed', 'arrived'],
    ['rail', 'BNSF', 'USLAX', 'USCHI', 'rail_departed', 'rail_arrived'],
  ] as const;
  const ways: Added['ways'] = [];
  for (const [place, [mode, carrier, from, to, left, reached]] of trips.entries()) {
    const identifiers = { waybill: `7${Date.now() % 100_000}` };
    const shipment = ocean(carrier, mode === 'rail' ? { transport_mode: mode, identifiers } : {});
    const id = await push(call, shipment, [
      { code: left, time: { at: hoursFromNow(-50 - place) }, location: { unlocode: from } },
      { code: reached, classifier: 'estimated', time: { at: hoursFromNow(700 + place) }, location: { unlocode: to } },
    ]);
    ways.push({ shipment_id: id, from, to });
  }
  return ways;
}

/** Arrived on time, arrived late, and delivered so long ago that tracking ends. */
async function registerArrived(call: Call): Promise<string[]> {
  const ids: string[] = [];
  for (const [lateHours, deliveredHours] of [
    [-10, null],
    [60, null],
    [30, -400],
  ] as const) {
    const location = { unlocode: 'NLRTM' };
    ids.push(
      await push(call, ocean('HLCU'), [
        { code: 'departed', time: { at: hoursFromNow(-1200) }, location: { unlocode: 'CNSHA' } },
        { code: 'arrived', classifier: 'planned', time: { at: hoursFromNow(-500) }, location },
        { code: 'arrived', time: { at: hoursFromNow(-500 + lateHours) }, location },
        ...(deliveredHours === null
          ? []
          : [{ code: 'delivered', time: { at: hoursFromNow(deliveredHours) }, location }]),
      ]),
    );
  }
  return ids;
}

/** Notes of a key, of a member and of one who has left since; shipments that are assigned to somebody. */
async function talk(
  api: Api,
  { call, dashboard, on, facts }: { call: Call; dashboard: Call; on: string[]; facts: Json },
): Promise<void> {
  const { link } = await dashboard('/invites', { email: `ben-${numbers}@example.test`, role: 'member' });
  const joining = openBrowser(api);
  const body = { token: link.split('=')[1], name: 'Ben Leaver', password: facts.owner.password };
  successOf('/invite', (await joining.ask('/dashboard/api/invite', { body })).status, null);
  const { data: people } = await call('/v1/members');
  const ben = people.find(({ name }: Json) => name === 'Ben Leaver').member_id;
  const olga = people.find(({ member_id }: Json) => member_id !== ben).member_id;
  const [moving, arrived] = on;
  const { note_id: edited } = await call(`/v1/shipments/${moving}/notes`, { text: `@${olga} please call the line.` });
  await call(`/v1/shipments/${moving}/notes/${edited}`, { text: `@${olga} and @${ben}: call them today.` }, 'PATCH');
  await dashboard(`/v1/shipments/${moving}/notes`, { text: `@${ben} they release it on Monday.` });
  await dashboard(`/v1/shipments/${arrived}/notes`, { text: 'Customs asked for the invoice.' });
  const { note_id: gone } = await call(`/v1/shipments/${arrived}/notes`, { text: 'A mistake.' });
  await call(`/v1/shipments/${arrived}/notes/${gone}`, undefined, 'DELETE');
  await call(`/v1/shipments/${moving}`, { assignee: olga }, 'PATCH');
  await call(`/v1/shipments/${arrived}`, { assignee: ben }, 'PATCH');
  await dashboard(`/members/${ben}`, undefined, 'DELETE');
  await until(
    () => call(`/v1/shipments/${arrived}`),
    ({ assignee }) => assignee === null,
  );
}

/** Tags by a filter, archives and undoes that, and refreshes what is only pushed, which fails. */
async function changeMany(call: Call, shipmentIds: string[]): Promise<string[]> {
  const run = async (path: string, body?: object): Promise<string> => {
    const { bulk_action_id: id } = await call(path, body, 'POST');
    await until(
      () => call(`/v1/bulk-actions/${id}`),
      ({ state }) => state === 'completed',
    );
    return id;
  };
  const tagged = await run('/v1/bulk-actions', { action: 'tag', tags_add: ['bulk'], filter: { tag: ['added'] } });
  const archived = await run('/v1/bulk-actions', { action: 'archive', shipment_ids: shipmentIds });
  const undone = await run(`/v1/bulk-actions/${archived}/undo`);
  const failing = await run('/v1/bulk-actions', { action: 'refresh', shipment_ids: shipmentIds });
  return [tagged, archived, undone, failing];
}
