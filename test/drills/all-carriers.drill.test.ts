import { afterAll, beforeAll, expect, it } from 'vitest';
import { type CarrierFleet, fleets, meaningOf } from '#infra/tools/drills/carrier-fleets.ts';
import { randomFaultKinds } from '#infra/tools/simulator/faults/fault-dice.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { request } from '#test/support/api/http.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { scaled } from '#test/support/run-scale.ts';
import { until } from '#test/support/until.ts';

const count = scaled({ short: 100, full: 3000 });
const voyageS = Math.max(15, Math.round((count * 3) / 50));
/** Longer intervals with more shipments, so that one machine keeps up. Each is still refreshed dozens of times. */
const cadenceScale = String(Math.max(1e-5, count * 1e-7));
const minuteMs = 60_000;
/**
 * Faults that report an event that never happened, or another time or place. Reported events stay even if the carrier
 * omits them later, so that no later refresh corrects these.
 */
const lies = ['unknown_event_type', 'time_without_offset', 'local_time_stamped_utc', 'empty_strings'];
/** A 429 without `Retry-After` is left out as well: it stops a whole carrier for a minute, as it should. */
const kinds = randomFaultKinds.filter((kind) => !lies.includes(kind));

/** The simulator may close idle connections between two calls. */
const newConnection = { connection: 'close' };

type Registered = { id: string; number: string; fleet: CarrierFleet };
type KnownEvent = { code: string; at: string; local?: string; place: string | null; container: string | null };
type Served = {
  byConnector: Record<
    string,
    {
      calls: number;
      byFault: Record<string, number>;
      shown: KnownEvent[];
      truth: { status: string; events: KnownEvent[] } | null;
    }
  >;
};

let landfall: Installation;
const registered: Registered[] = [];

beforeAll(async () => {
  landfall = await openInstallation({
    redisUrl: null,
    withWorker: false,
    voyageS,
    env: { WORKER_CONCURRENCY: '4', CADENCE_SCALE: cadenceScale },
  });
});
afterAll(() => landfall?.close());

it.skipIf(scaled({ short: true, full: false }))(
  `ends ${count} shipments in the state of their carriers, with faults in 5 % of the answers`,
  async () => {
    await control('fault-rate', { rate: 0.05, kinds });
    await register();
    await landfall.startWorker();
    // A journey begins with the first call about it: a refresh that failed at the token endpoint began none.
    const unheard = () =>
      sql(
        `select connector, state, reason, min(next_refresh_at) as next, count(*)::int as count
       from landfall.polling
       where last_succeeded_at is null
       group by 1, 2, 3 order by 5 desc`,
      );
    await until(unheard, (rows) => rows.length === 0);
    const playedAt = Date.now() + (voyageS + 3) * 1000;
    await until(
      async () => Date.now(),
      (nowMs) => nowMs > playedAt,
    );

    await control('fault-rate', { rate: 0 });
    await request(`${landfall.simulator.url}/control/faults`, { method: 'DELETE', headers: newConnection });
    const [healed] = await sql<{ at: string }>('select now()::text as at');
    // Only the clock is faked: shipments that wait after faults are due now.
    await until(
      () => wakeSome(healed?.at),
      (rows) => rows.length === 0,
    );
    const unsettled = () =>
      sql<{ connector: string; state: string; reason: string | null; count: number }>(
        `select connector, state, reason, count(*)::int as count from landfall.polling
       where state <> 'completed' and (last_succeeded_at is null or last_succeeded_at < $1::timestamptz)
       group by 1, 2, 3 order by 4 desc`,
        [healed?.at],
      );
    await until(unsettled, (rows) => rows.length === 0);

    const { byConnector, mistakes } = await compare();
    process.stdout.write(`${JSON.stringify({ shipments: registered.length, byConnector })}\n`);
    expect(mistakes.slice(0, 20).map((mistake) => JSON.stringify(mistake).slice(0, 1500))).toEqual([]);
    expect(
      await sql(
        `select connector, state, reason from landfall.polling
       where state in ('failed', 'degraded', 'queued') or reason is not null`,
      ),
    ).toEqual([]);
    const overdue = `select count(*)::int as count from landfall.polling where next_refresh_at < now() - interval '30 s'`;
    await until(
      () => sql<{ count: number }>(overdue),
      ([row]) => row?.count === 0,
    );
    const faults = Object.values(byConnector).flatMap((each) => Object.keys(each.faults));
    expect(new Set(faults).size).toBeGreaterThan(scaled({ short: 12, full: 20 }));
  },
);

/** Some of the waiting shipments at a time, so that row locks are short. Running refreshes finish by themselves. */
function wakeSome(healedAt: string | undefined): Promise<object[]> {
  return sql(
    `update landfall.polling as p set next_refresh_at = now()
     from (select account_id, shipment_id from landfall.polling 
       where next_refresh_at > now() and lease_until is null
         and (last_succeeded_at is null or last_succeeded_at < $1::timestamptz)
       limit 500
       for update skip locked) as later
     where p.account_id = later.account_id and p.shipment_id = later.shipment_id
     returning p.shipment_id`,
    [healedAt],
  );
}

async function register(): Promise<void> {
  const wanted = Array.from({ length: count }, (_, index) => {
    const fleet = fleets[index % fleets.length] as CarrierFleet;
    const number = fleet.number(Math.floor(index / fleets.length));
    const body = { transport_mode: fleet.mode, carrier: fleet.carrier, identifiers: { [fleet.key]: number } };
    return { fleet, number, body };
  });
  for (let start = 0; start < wanted.length; start += 500) {
    const part = wanted.slice(start, start + 500);
    const { status, body } = await request(`${landfall.api.url}/v1/shipments/batch`, {
      key: landfall.key,
      body: { shipments: part.map((each) => each.body) },
      headers: { 'idempotency-key': `carriers-${start}` },
    });
    expect([status, body.detail]).toEqual([200, undefined]);
    for (const [index, result] of body.results.entries()) {
      const asked = part[index];
      if (asked === undefined || result.shipment_id === undefined)
        throw new Error(JSON.stringify([asked?.body, result]));
      registered.push({ id: result.shipment_id, number: asked.number, fleet: asked.fleet });
    }
  }
}

type StoredEvent = { code: string; at: string; local: string; container: string | null; place: string | null };
type Counts = { shipments: number; calls: number; events: number; faults: Record<string, number> };

/** Compares each stored shipment with the truth of its carrier, event by event. */
async function compare(): Promise<{ byConnector: Record<string, Counts>; mistakes: object[] }> {
  const byConnector: Record<string, Counts> = {};
  const mistakes: object[] = [];
  const rows = await sql<{
    number: string;
    status: string;
    events: StoredEvent[] | null;
  }>(
    `select s.status,
       coalesce(
         s.identifiers ->> 'mbl', s.identifiers ->> 'awb', s.identifiers ->> 'pro', s.identifiers ->> 'tracking_number'
       ) as number,
       (select jsonb_agg(jsonb_build_object(
          'code', e.code, 'at', e.event_at, 'container', e.container, 'place', coalesce(p.unlocode, p.iata),
          'local', to_char(
            e.event_at at time zone 'utc' + make_interval(mins => coalesce(e.local_offset, 0)),
            case e.precision when 'date' then 'YYYY-MM-DD' when 'minute' then 'YYYY-MM-DD"T"HH24:MI' else 'YYYY-MM-DD"T"HH24:MI:SS' end
          )))
        from landfall.events as e
          left join landfall.places as p on p.account_id = e.account_id and p.id = e.place
        where e.account_id = s.account_id and e.shipment_id = s.id and e.classifier = 'actual'
          and e.superseded_by is null and e.voided_at is null) as events
     from landfall.shipments as s`,
  );
  const stored = new Map(rows.map((row) => [row.number, row]));
  for (const { number, fleet } of registered) {
    const asked = fleet.asked(number);
    const served: Served = (
      await request(`${landfall.simulator.url}/control/served?number=${asked}`, { headers: newConnection })
    ).body;
    const reported = served.byConnector[fleet.connector];
    const row = stored.get(number);
    const counts = byConnector[fleet.connector] ?? { shipments: 0, calls: 0, events: 0, faults: {} };
    byConnector[fleet.connector] = counts;
    counts.shipments += 1;
    counts.calls += reported?.calls ?? 0;
    counts.events += row?.events?.length ?? 0;
    for (const [kind, times] of Object.entries(reported?.byFault ?? {}))
      counts.faults[kind] = (counts.faults[kind] ?? 0) + times;

    const known = new Map(
      (reported?.truth?.events ?? []).map((event) => [
        keyOf({ ...event, code: meaningOf(fleet, event.code) }, fleet),
        event,
      ]),
    );
    const kept = new Map((row?.events ?? []).map((event) => [keyOf({ ...event, code: event.code }, fleet), event]));
    const missing = [...known].filter(([key]) => !kept.has(key)).map(([, event]) => event);
    const surplus = [...kept].filter(([key]) => !known.has(key)).map(([, event]) => event);
    const status = reported?.truth?.status;
    if (missing.length > 0 || surplus.length > 0 || row?.status !== status)
      mistakes.push({
        connector: fleet.connector,
        number,
        status: [row?.status, status],
        missing,
        surplus,
        faults: reported?.byFault,
      });
    // Events sent without a fault are part of the truth: the simulator agrees with itself.
    const truths = new Set(reported?.truth?.events.map((event) => JSON.stringify(event)));
    const untrue = reported?.shown.filter((event) => !truths.has(JSON.stringify(event))) ?? [];
    if (
      untrue.length > 0 ||
      reported === undefined ||
      (reported.shown.length === 0 && Object.keys(reported.byFault).length === 0)
    )
      mistakes.push({ number, untrue, reported: reported?.shown.length });
  }
  return { byConnector, mistakes };
}

/** To the minute, like stored events; with the place if both sides have its code, and the code if it is unambiguous. */
function keyOf(event: Omit<KnownEvent, 'code'> & { code: string | null }, fleet: CarrierFleet): string {
  const minute = fleet.hidesZones
    ? event.local?.slice(0, 16)
    : new Date(Math.floor(Date.parse(event.at) / minuteMs) * minuteMs).toISOString();
  const isMeant = event.code !== null && fleet.codes.has(event.code);
  return [
    minute,
    event.container ?? '',
    isMeant ? event.code : '',
    fleet.hasPlaceCodes && event.container !== null ? event.place : '',
  ].join(' ');
}

function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  return withSystem(landfall.core.store, async (tx) => (await tx.query(text, values)).rows as Row[]);
}

async function control(action: string, body: object): Promise<void> {
  const { status } = await request(`${landfall.simulator.url}/control/${action}`, { body, headers: newConnection });
  expect(status).toBeLessThan(300);
}
