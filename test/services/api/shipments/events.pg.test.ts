import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import { wireEventList } from '#shared/contract/shipments/record-wire.ts';
import { eventSorts } from '#shared/domain/events/event-order.ts';
import { rawEventCap } from '#shared/store/tracking/raw-events.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { uniqueNumber } from '#test/support/core-context.ts';

let api: TestApi;
let path = '';
let subject = { accountId: '', shipmentId: '' };

const other = 'MSKU1234565';
const history = [
  { code: 'booking_confirmed', local: '2026-09-20T08:00', container: null },
  { code: 'gate_in_full', local: '2026-10-01T08:00' },
  { code: 'gate_in_full', local: '2026-10-01T08:00', container: other },
  { code: 'loaded', local: '2026-10-02T08:00' },
  { code: 'loaded', local: '2026-10-02T09:00', container: other },
  { code: 'arrived', local: '2026-11-02T09:00', container: null, classifier: 'planned' },
] as const;

beforeAll(async () => {
  api = await startTestApi();
  ({ path, subject } = await registered());
  await refresh(api.ctx.core, subject, found(...history));
  await refresh(api.ctx.core, subject, found(...history.slice(0, 5), { ...history[5], local: '2026-11-04T09:00' }));
  await sql(
    `update landfall.events set voided_at = now() where shipment_id = $1 and code = 'booking_confirmed'`,
    subject.shipmentId,
  );
});
afterAll(() => api.close());

describe('the event history', () => {
  it('returns what happened, newest first, then plans, with superseded and voided ones flagged as in the record', async () => {
    const answer = await jsonOf(await api.request(path));
    expect(wireEventList.parse(answer)).toEqual(answer);
    expect(answer.data.map((event: Json) => [event.code, event.container, event.time.local, event.flags])).toEqual([
      ['loaded', other, '2026-10-02T09:00', []],
      ['loaded', 'CSQU3054383', '2026-10-02T08:00', []],
      ['gate_in_full', expect.any(String), '2026-10-01T08:00', []],
      ['gate_in_full', expect.any(String), '2026-10-01T08:00', []],
      ['booking_confirmed', null, '2026-09-20T08:00', ['voided']],
      ['arrived', null, '2026-11-04T09:00', []],
      ['arrived', null, '2026-11-02T09:00', ['superseded']],
    ]);
    expect(answer.data[6].superseded_by).toBe(answer.data[5].event_id);
    expect(answer.page).toEqual({ limit: 50, has_more: false, next_cursor: null });
    await refresh(api.ctx.core, subject, found(...history.slice(0, 5), { ...history[5], local: '2026-11-04T09:00' }));
    expect((await jsonOf(await api.request(path.replace('/events', '')))).events_count).toBe(7);
  });

  it.each(eventSorts)('by %s, returns each event once across pages, in the same order as one page', async (sort) => {
    const whole = (await jsonOf(await api.request(`${path}?sort=${sort}`))).data;
    const key = (event: Json): string => (sort.endsWith('time') ? event.time.at : event.received_at);
    const isInOrder = (event: Json) => event.classifier === 'actual' || !sort.endsWith('time');
    const keys = whole.filter(isInOrder).map(key);
    expect(keys).toEqual(sort.startsWith('-') ? keys.toSorted().toReversed() : keys.toSorted());
    const seen: Json[] = [];
    let next: string | null = `${path}?sort=${sort}&limit=3`;
    while (next !== null) {
      const answer: Response = await api.request(next);
      const page = await jsonOf(answer);
      expect(page.page.has_more).toBe(page.page.next_cursor !== null);
      seen.push(...page.data);
      next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(seen).toEqual(whole);
  });

  it('continues after the same event although newer ones arrived between two pages', async () => {
    const fresh = await registered();
    await refresh(api.ctx.core, fresh.subject, found(...history.slice(1, 5)));
    const first = await jsonOf(await api.request(`${fresh.path}?limit=2`));
    await refresh(
      api.ctx.core,
      fresh.subject,
      found(...history.slice(1, 5), { code: 'departed', local: '2026-10-03T09:00' }),
    );
    const second = await jsonOf(await api.request(`${fresh.path}?limit=2&cursor=${first.page.next_cursor}`));
    const ids = [...first.data, ...second.data].map((event: Json) => event.event_id);
    expect(new Set(ids).size).toBe(4);
    expect(second.data.map((event: Json) => event.code)).toEqual(['gate_in_full', 'gate_in_full']);
  });

  it('filters by lists of classifiers, codes and containers', async () => {
    const codes = async (query: string) =>
      (await jsonOf(await api.request(`${path}?${query}`))).data.map((event: Json) => event.code);
    expect(await codes('classifier=planned,estimated')).toEqual(['arrived', 'arrived']);
    expect(await codes('code=loaded,booking_confirmed')).toEqual(['loaded', 'loaded', 'booking_confirmed']);
    expect(await codes('code=loaded&code=booking_confirmed')).toEqual(['loaded', 'loaded', 'booking_confirmed']);
    expect(await codes('container=msku%20123456-5')).toEqual(['loaded', 'gate_in_full']);
    expect(await codes(`container=${other},CSQU3054383&code=loaded`)).toEqual(['loaded', 'loaded']);
    expect(await codes('classifier=estimated')).toEqual([]);
  });

  it('names the parameter of each mistake, and rejects cursors of another filter, sort or shipment', async () => {
    const refused = async (query: string, at = path) => {
      const { status, code, errors } = await jsonOf(await api.request(`${at}?${query}`));
      return [status, code, ...errors.map((mistake: Json) => mistake.pointer)];
    };
    expect(await refused('clasifier=actual')).toEqual([400, 'unknown_parameter', '?clasifier']);
    expect(await refused('classifier=maybe&limit=101')).toEqual([400, 'validation_failed', '?classifier', '?limit']);
    expect(await refused('code=launched')).toEqual([400, 'validation_failed', '?code']);
    expect(await refused('limit=0')).toEqual([400, 'validation_failed', '?limit']);
    expect(await refused('container=')).toEqual([400, 'validation_failed', '?container']);
    expect(await refused('limit=1&limit=2')).toEqual([400, 'validation_failed', '?limit']);
    const { next_cursor } = (await jsonOf(await api.request(`${path}?limit=2`))).page;
    expect(await refused(`cursor=${next_cursor}&sort=time`)).toEqual([400, 'invalid_cursor']);
    expect(await refused(`cursor=${next_cursor}&code=loaded`)).toEqual([400, 'invalid_cursor']);
    expect(await refused(`cursor=${next_cursor}`, (await registered()).path)).toEqual([400, 'invalid_cursor']);
    expect(await refused('cursor=nonsense')).toEqual([400, 'invalid_cursor']);
    expect((await api.request(`${path}?limit=5&cursor=${next_cursor}`)).status).toBe(200);
  });

  it('returns the carrier’s own text, truncated if too long', async () => {
    const fresh = await registered();
    const raw = { said: 'x'.repeat(rawEventCap) };
    await refresh(
      api.ctx.core,
      fresh.subject,
      found({ ...history[1], raw }, { ...history[3], raw: { eventID: '1', nested: [null, 2] } }),
    );
    const plain = (await jsonOf(await api.request(fresh.path))).data;
    expect(plain.map((event: Json) => 'raw' in event)).toEqual([false, false]);
    const answer = await jsonOf(await api.request(`${fresh.path}?include=raw`));
    expect(wireEventList.parse(answer)).toEqual(answer);
    expect(answer.data[0]).toMatchObject({ raw: { eventID: '1', nested: [null, 2] }, raw_truncated: false });
    expect(answer.data[1].raw_truncated).toBe(true);
    expect(answer.data[1].raw).toHaveLength(rawEventCap);
    expect(answer.data[1].raw).toMatch(/^\{"said": "xxx/);
  });

  it('is empty for a new shipment, and like a missing one for another account', async () => {
    const fresh = await registered();
    expect((await jsonOf(await api.request(fresh.path))).data).toEqual([]);
    const testKey = await api.createKey({ test: true });
    for (const address of [fresh.path, '/v1/shipments/nonsense/events']) {
      const answer = await api.request(address, { headers: { authorization: `Bearer ${testKey.secret}` } });
      expect([answer.status, (await jsonOf(answer)).code]).toEqual([404, 'shipment_not_found']);
    }
  });
});

async function registered(): Promise<{ path: string; subject: { accountId: string; shipmentId: string } }> {
  const answer = await api.post('/v1/shipments', {
    transport_mode: 'ocean',
    carrier: 'MAEU',
    identifiers: { mbl: uniqueNumber() },
  });
  const { shipment_id } = await jsonOf(answer);
  return {
    path: `/v1/shipments/${shipment_id}/events`,
    subject: { accountId: api.accountId, shipmentId: readShipmentId(shipment_id) ?? '' },
  };
}

function sql(text: string, ...values: unknown[]): Promise<object[]> {
  return withSystem(api.ctx.core.store, async (tx) => (await tx.query(text, values)).rows);
}
