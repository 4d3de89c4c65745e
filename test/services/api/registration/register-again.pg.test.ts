import { afterAll, beforeAll, expect, it } from 'vitest';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { uniqueNumber } from '#test/support/core-context.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api?.close());

const sent = () => ({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: uniqueNumber() } });
const codesOf = (answer: { warnings: { code: string }[] }) => answer.warnings.map(({ code }) => code);

async function registered(verb: 'stop' | 'cancel' | null) {
  const body = sent();
  const record = await jsonOf(await api.post('/v1/shipments', body));
  if (verb !== null) await api.request(`/v1/shipments/${record.shipment_id}/${verb}`, { method: 'POST' });
  return { body, id: record.shipment_id };
}

/** The changes as written, of which the sequencer has numbered none. */
async function changesOf(id: string): Promise<string[]> {
  const { rows } = await withAccount(api.ctx.core.store, api.accountId, (tx) =>
    tx.query('select type from landfall.changes where shipment_id = $1 order by id', [readShipmentId(id)]),
  );
  return rows.map(({ type }) => type);
}

it('resumes a shipment that the client had stopped, reports it, and adds it to the feed', async () => {
  const { body, id } = await registered('stop');
  const again = await api.post('/v1/shipments', body);
  expect([again.status, again.headers.get('existing-shipment')]).toEqual([200, 'true']);
  const record = await jsonOf(again);
  expect(record).toMatchObject({ shipment_id: id, tracking: { state: 'queued', reason: null } });
  expect(record.warnings).toMatchObject([{ code: 'tracking_resumed', field: 'tracking.state' }]);
  const read = await jsonOf(await api.request(`/v1/shipments/${id}`));
  expect(read).toMatchObject({ tracking: { state: 'queued' }, warnings: [], version: record.version });
  // There is nothing left to resume.
  expect(codesOf(await jsonOf(await api.post('/v1/shipments', body)))).toEqual([]);
});

it('explains why a cancelled shipment is not resumed, and names the call that does', async () => {
  const { body, id } = await registered('cancel');
  const record = await jsonOf(await api.post('/v1/shipments', body));
  expect(record).toMatchObject({ shipment_id: id, status: 'cancelled', tracking: { state: 'stopped' } });
  expect(record.warnings).toMatchObject([
    { code: 'tracking_not_resumed', detail: expect.stringMatching(/booking is cancelled.*\/resume/) },
  ]);
});

it('resumes a stopped shipment to which the registration adds a number', async () => {
  const { body, id } = await registered('stop');
  const more = { ...body, identifiers: { ...body.identifiers, booking: uniqueNumber() } };
  const record = await jsonOf(await api.post('/v1/shipments', more));
  expect(record).toMatchObject({ shipment_id: id, identifiers: more.identifiers, tracking: { state: 'queued' } });
  expect(codesOf(record)).toEqual(['tracking_resumed']);
});

it('resumes once when the same registration arrives several times at once', async () => {
  const { body, id } = await registered('stop');
  const answers = await Promise.all(Array.from({ length: 6 }, () => api.post('/v1/shipments', body)));
  const records = await Promise.all(answers.map(jsonOf));
  expect(records.map(({ tracking }) => tracking.state)).toEqual(Array(6).fill('queued'));
  expect(records.flatMap(codesOf)).toEqual(['tracking_resumed']);
  expect(await changesOf(id)).toEqual([
    'shipment.created',
    'shipment.tracking_state_changed',
    'shipment.tracking_state_changed',
  ]);
});

it('replays the warning with the answer that an Idempotency-Key keeps', async () => {
  const { body } = await registered('stop');
  const first = await jsonOf(await api.post('/v1/shipments', body, { 'idempotency-key': 'resumes' }));
  const replay = await jsonOf(await api.post('/v1/shipments', body, { 'idempotency-key': 'resumes' }));
  expect(codesOf(first)).toEqual(['tracking_resumed']);
  expect(replay).toEqual(first);
});

it('resumes the stopped rows of a batch', async () => {
  const stopped = await registered('stop');
  const running = await registered(null);
  const cancelled = await registered('cancel');
  const shipments = [stopped.body, running.body, cancelled.body];
  const { results } = await jsonOf(await api.post('/v1/shipments/batch', { shipments }));
  expect(results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['existing', 'existing', 'existing']);
  expect(results.map(codesOf)).toEqual([['tracking_resumed'], [], ['tracking_not_resumed']]);
  expect(await jsonOf(await api.request(`/v1/shipments/${stopped.id}`))).toMatchObject({
    tracking: { state: 'queued' },
  });
  expect(await jsonOf(await api.request(`/v1/shipments/${cancelled.id}`))).toMatchObject({
    tracking: { state: 'stopped' },
  });
});
