import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { wireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { carrierDown, found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { uniqueNumber } from '#test/support/core-context.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const gateIn = { code: 'gate_in_full', local: '2026-10-01T08:00' } as const;
const departed = { code: 'departed', local: '2026-10-02T20:00' } as const;
const later = { code: 'departed', local: '2026-10-03T20:00' } as const;
const delivered = { code: 'delivered', local: '2026-10-20T12:00' } as const;

describe('the current record', () => {
  it('has every field of the contract and matches its schema', async () => {
    const { path, subject } = await registered();
    await refresh(api.ctx.core, subject, found(gateIn, departed), 'f'.repeat(32));
    const record = await jsonOf(await api.request(path));
    expect(wireShipment.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      status: 'in_transit',
      status_evidence: { code: 'departed', source: 'carrier' },
      container_status_counts: { in_transit: 1 },
      events_count: 2,
      archived_at: null,
      as_of: null,
      tracking: { state: 'active', freshness: 'fresh', trace_id: 'f'.repeat(32), source: 'simulator:dcsa:maersk' },
    });
    expect(Object.keys(record).sort()).toEqual(Object.keys(wireShipment.shape).sort());
  });

  it('returns another ETag when only the version, the tracking or the freshness changed', async () => {
    const { path, subject } = await registered();
    await refresh(api.ctx.core, subject, found(departed));
    const first = await tagOf(path);
    expect(await tagOf(path)).toBe(first);

    await refresh(api.ctx.core, subject, found(departed));
    const refreshed = await tagOf(path);
    expect(refreshed).not.toBe(first);
    await sql('update landfall.polling set stale_at = now() where shipment_id = $1', subject.shipmentId);
    const answer = await api.request(path, { headers: { 'if-none-match': refreshed } });
    expect(answer.status).toBe(200);
    expect((await jsonOf(answer)).tracking.freshness).toBe('stale');
    const stale = await tagOf(path);
    expect((await api.request(path, { headers: { 'if-none-match': stale } })).status).toBe(304);
    await sql('update landfall.shipments set version = version + 1 where id = $1', subject.shipmentId);
    expect((await api.request(path, { headers: { 'if-none-match': stale } })).status).toBe(200);
  });

  it('contains the time of archiving', async () => {
    const { path, subject } = await registered();
    await sql('update landfall.shipments set archived_at = now() where id = $1', subject.shipmentId);
    expect((await jsonOf(await api.request(path))).archived_at).toMatch(/^\d{4}-\d\d-\d\dT/);
  });
});

describe('the record at an earlier time', () => {
  it('applies the events received by then, ignoring later voids and revisions, with the client’s current fields', async () => {
    const { path, subject } = await registered();
    await refresh(api.ctx.core, subject, found(gateIn));
    await refresh(api.ctx.core, subject, found(gateIn, departed));
    await refresh(api.ctx.core, subject, found(gateIn, later, delivered));
    await received(subject.shipmentId, {
      gate_in_full: '2026-10-01T10:00Z',
      departed: '2026-10-03T00:00Z',
      delivered: '2026-10-21T00:00Z',
    });
    await sql(
      `update landfall.events set received_at = '2026-10-05T00:00Z' where shipment_id = $1 and event_at = '2026-10-03T20:00Z'`,
      subject.shipmentId,
    );
    await sql(
      `update landfall.events set voided_at = '2026-10-25T00:00Z' where shipment_id = $1 and code = 'delivered'`,
      subject.shipmentId,
    );
    await sql(
      `update landfall.shipments set reference = 'set today', version = version + 1 where id = $1`,
      subject.shipmentId,
    );

    const asOf = async (moment: string) => jsonOf(await api.request(`${path}?as_of=${moment}`));
    expect(summaryOf(await asOf('2026-09-30T00:00:00Z'))).toEqual(['pending', null, 0, []]);
    expect(summaryOf(await asOf('2026-10-01T10:00:00Z'))).toEqual(['booked', '2026-10-01T08:00:00.000Z', 1, []]);
    expect(summaryOf(await asOf('2026-10-04T00:00:00Z'))).toEqual(['in_transit', '2026-10-02T20:00:00.000Z', 2, []]);
    expect(summaryOf(await asOf('2026-10-05'))).toEqual(['in_transit', '2026-10-03T20:00:00.000Z', 3, ['superseded']]);
    expect(summaryOf(await asOf('2026-10-22T02:00:00%2B02:00'))).toEqual([
      'delivered',
      '2026-10-20T12:00:00.000Z',
      4,
      ['superseded'],
    ]);
    expect(summaryOf(await asOf('2026-10-25T00:00:00Z'))).toEqual([
      'in_transit',
      '2026-10-03T20:00:00.000Z',
      4,
      ['voided', 'superseded'],
    ]);

    const past = await asOf('2026-10-04T00:00:00Z');
    expect(wireShipment.parse(past)).toEqual(past);
    expect(past).toMatchObject({ reference: 'set today', tracking: null, as_of: '2026-10-04T00:00:00.000Z' });
  });

  it('marks an event from the future as suspect until its time', async () => {
    const { path, subject } = await registered();
    await refresh(api.ctx.core, subject, found(departed));
    await received(subject.shipmentId, { departed: '2026-09-20T00:00Z' });
    const early = await jsonOf(await api.request(`${path}?as_of=2026-09-25T00:00:00Z`));
    expect([early.status, early.events[0].flags]).toEqual(['pending', ['suspect_future']]);
    const due = await jsonOf(await api.request(`${path}?as_of=2026-10-02T12:00:00Z`));
    expect([due.status, due.events[0].flags]).toEqual(['in_transit', []]);
  });

  it('answers 304 while that past is unchanged', async () => {
    const { path, subject } = await registered();
    await refresh(api.ctx.core, subject, found(departed));
    await received(subject.shipmentId, { departed: '2026-10-03T00:00Z' });
    const past = `${path}?as_of=2026-10-04T00:00:00Z`;
    const tag = await tagOf(past);
    await refresh(api.ctx.core, subject, found(departed));
    expect((await api.request(past, { headers: { 'if-none-match': tag } })).status).toBe(304);
    await sql(`update landfall.shipments set tags = '{new}', version = version + 1 where id = $1`, subject.shipmentId);
    expect((await api.request(past, { headers: { 'if-none-match': tag } })).status).toBe(200);
  });

  it('accepts today, and rejects the future, invalid times and unknown parameters', async () => {
    const { path } = await registered();
    const today = await jsonOf(await api.request(`${path}?as_of=${new Date().toISOString().slice(0, 10)}`));
    expect(Math.abs(Date.parse(today.as_of) - Date.now())).toBeLessThan(60_000);
    const refused = async (query: string) => {
      const answer = await api.request(`${path}?${query}`);
      const { code, errors } = await jsonOf(answer);
      return [answer.status, code, errors.map((mistake: Json) => [mistake.pointer, mistake.code])];
    };
    const future = new Date(Date.now() + 3_600_000).toISOString();
    expect(await refused(`as_of=${future}`)).toEqual([400, 'validation_failed', [['?as_of', 'in_future']]]);
    expect(await refused('as_of=2199-01-01')).toEqual([400, 'validation_failed', [['?as_of', 'in_future']]]);
    expect(await refused('as_of=yesterday')).toEqual([400, 'validation_failed', [['?as_of', 'invalid_format']]]);
    expect(await refused('as_of=2026-10-01&as_of=2026-10-02')).toEqual([
      400,
      'validation_failed',
      [['?as_of', 'one_value']],
    ]);
    expect(await refused('asof=2026-10-01')).toEqual([400, 'unknown_parameter', [['?asof', 'unknown_parameter']]]);
  });

  it('reads like a missing one if it belongs to another account', async () => {
    const { path } = await registered();
    const testKey = await api.createKey({ test: true });
    const headers = { authorization: `Bearer ${testKey.secret}` };
    const answer = await api.request(`${path}?as_of=2026-10-01`, { headers });
    expect([answer.status, (await jsonOf(answer)).code]).toEqual([404, 'shipment_not_found']);
  });
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const fromTheFuture = { code: 'delivered', local: inHours(48).slice(0, 16) } as const;

it.each([
  ['repeats itself', found(gateIn, fromTheFuture)],
  ['is unavailable', carrierDown],
])(
  'counts an event from the future at the first refresh after its time, also when the carrier %s',
  async (_, result) => {
    const { path, subject } = await registered();
    await refresh(api.ctx.core, subject, found(gateIn, fromTheFuture));
    const before = await jsonOf(await api.request(path));
    expect([before.status, before.events.at(-1).flags]).toEqual(['booked', ['suspect_future']]);
    // Time is the database's clock, so the test moves the event instead.
    await sql(
      `update landfall.events as e
       set event_at = t.at, local_offset = extract(epoch from e.event_at - t.at) / 60
       from date_trunc('minute', $2::timestamptz) as t (at)
       where shipment_id = $1 and code = 'delivered'`,
      subject.shipmentId,
      inHours(20),
    );
    await sql(
      `update landfall.shipments set record = jsonb_set(record, '{nextEligibleAt}', to_jsonb($2::text)),
       cadence = jsonb_set(cadence, '{nextEligibleAt}', to_jsonb($2::text)) where id = $1`,
      subject.shipmentId,
      inHours(-5),
    );
    await refresh(api.ctx.core, subject, result);
    const after = await jsonOf(await api.request(path));
    expect([after.status, after.events[0].flags, after.version > before.version]).toEqual(['delivered', [], true]);
    expect(
      await sql(
        'select reason from landfall.status_changes where shipment_id = $1 order by changed_at, id',
        subject.shipmentId,
      ),
    ).toEqual([{ reason: 'event' }, { reason: 'suspect_became_eligible' }]);
  },
);

it('lists published transitions with reason, event, time of occurrence and time of detection', async () => {
  const { subject } = await registered();
  await refresh(api.ctx.core, subject, found(gateIn, delivered));
  await refresh(
    api.ctx.core,
    subject,
    found(gateIn, { ...delivered, code: 'customs_inspection' }, { ...delivered, local: '2026-10-21T12:00' }),
  );
  await refresh(api.ctx.core, subject, found(gateIn, { ...delivered, container: 'MSKU1234565', code: 'loaded' }));
  const rows = await sql(
    `select from_status, to_status, reason, event_code, reached_at, received_at is not null as received
     from landfall.status_changes where shipment_id = $1 order by changed_at, id`,
    subject.shipmentId,
  );
  expect(rows).toEqual([
    expect.objectContaining({
      from_status: 'pending',
      to_status: 'delivered',
      reason: 'event',
      event_code: 'delivered',
      received: true,
    }),
    expect.objectContaining({
      from_status: 'delivered',
      to_status: 'in_transit',
      reason: 'container_added',
      event_code: 'loaded',
      received: true,
    }),
  ]);
  expect(rows.map((row) => (row as { reached_at: Date }).reached_at.toISOString())).toEqual([
    '2026-10-20T12:00:00.000Z',
    '2026-10-20T12:00:00.000Z',
  ]);
});

async function registered(): Promise<{ path: string; subject: { accountId: string; shipmentId: string } }> {
  const answer = await api.post('/v1/shipments', {
    transport_mode: 'ocean',
    carrier: 'MAEU',
    identifiers: { mbl: uniqueNumber() },
  });
  const { shipment_id } = await jsonOf(answer);
  return {
    path: `/v1/shipments/${shipment_id}`,
    subject: { accountId: api.accountId, shipmentId: readShipmentId(shipment_id) ?? '' },
  };
}

async function tagOf(path: string): Promise<string> {
  return (await api.request(path)).headers.get('etag') ?? '';
}

function summaryOf(record: Json): unknown[] {
  return [
    record.status,
    record.status_changed_at,
    record.events_count,
    record.events.flatMap((event: Json) => event.flags),
  ];
}

async function received(shipmentId: string, times: Record<string, string>): Promise<void> {
  for (const [code, time] of Object.entries(times)) {
    await sql(
      'update landfall.events set received_at = $2 where shipment_id = $1 and code = $3',
      shipmentId,
      time,
      code,
    );
  }
}

function sql(text: string, ...values: unknown[]): Promise<object[]> {
  return withSystem(api.ctx.core.store, async (tx) => (await tx.query(text, values)).rows);
}
