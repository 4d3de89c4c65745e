import { afterAll, beforeAll, expect, test } from 'vitest';
import { localTime } from '#infra/tools/simulator/voyages/local-time.ts';
import { createRandom } from '#infra/tools/simulator/voyages/random.ts';
import { awbCheckDigit } from '#shared/domain/registration/check-digits.ts';
import { countryCode } from '#shared/places/country-codes.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { planTruths } from '#test/support/edi/plan-truths.ts';
import { type Spoilt, spoilMessage, spoils } from '#test/support/edi/spoil-message.ts';
import { eventOf, kinds, type Spot, type Statement, type Truth } from '#test/support/edi/statement.ts';
import { enclose, paths, type Written, writeFile } from '#test/support/edi/write-files.ts';
import { writeMessages } from '#test/support/edi/write-messages.ts';
import { scaled } from '#test/support/run-scale.ts';

/** Statements, of which most messages make one. */
const statementCount = scaled({ short: 1400, full: 14_000 });
const spoiltShare = 0.02;
/** Messages of one file. */
const fileSize = 200;

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  const { secret } = await api.createKey({ scopes: ['shipments:read', 'shipments:write', 'events:write'] });
  key = secret;
});

afterAll(() => api?.close());

let key = '';

async function register(truths: readonly Truth[]): Promise<Map<Truth, string>> {
  const ids = new Map<Truth, string>();
  for (let start = 0; start < truths.length; start += 500) {
    const some = truths.slice(start, start + 500);
    const answer = await jsonOf(
      await post(
        '/v1/shipments/batch',
        JSON.stringify({ shipments: some.map(({ registration }) => registration) }),
        'application/json',
      ),
    );
    for (const [index, truth] of some.entries()) ids.set(truth, answer.results[index].shipment_id);
  }
  expect([...ids.values()]).not.toContain(undefined);
  return ids;
}

function post(path: string, body: string, type: string): Promise<Response> {
  return api.request(path, { method: 'POST', body, headers: { 'content-type': type, authorization: `Bearer ${key}` } });
}

/** The events that a statement makes. */
function eventsIn({ move, atMs, spot, container, vessel, flight, next }: Statement): Row[] {
  const common = { container, vehicle: vessel ?? (flight === null ? null : { flight }) };
  const event = { ...common, code: eventOf[move], classifier: 'actual' as const, atMs, spot };
  return next === undefined ? [event] : [event, { ...common, code: 'arrived', classifier: 'estimated', ...next }];
}

type Row = {
  code: string;
  classifier: 'actual' | 'estimated';
  atMs: number;
  spot: Spot;
  container: string | null;
  vehicle: { imo: string; name: string; voyage: string } | { flight: string } | null;
};

function shown({ code, classifier, atMs, spot, container, vehicle }: Row): string {
  const at = new Date(atMs).toISOString();
  return JSON.stringify({ code, classifier, at, place: placeOf(spot), container, vehicle: vehicleText(vehicle) });
}

function placeOf(spot: Spot): string {
  return 'port' in spot ? spot.port : 'airport' in spot ? spot.airport : `${spot.city.toUpperCase()}, ${spot.state}`;
}

function vehicleText(vehicle: Json): string | null {
  return vehicle == null ? null : (vehicle.flight ?? `${vehicle.imo} ${vehicle.name} ${vehicle.voyage}`);
}

function reported({ code, classifier, time, location, container, vehicle }: Json): string {
  const place = location?.iata ?? location?.unlocode ?? location?.name ?? null;
  return JSON.stringify({ code, classifier, at: time.at, place, container, vehicle: vehicleText(vehicle) });
}

async function eventsOf(id: string): Promise<string[]> {
  const { data: events } = await jsonOf(
    await api.request(`/v1/shipments/${id}/events?limit=100`, { headers: { authorization: `Bearer ${key}` } }),
  );
  if (events === undefined) throw new Error(id);
  return events.map(reported).sort();
}

const writings = ['local', 'precision', 'zone_source', 'timezone'];

/** Returns the conclusions from the history of a shipment, without ids, and without the senders and their own words. */
function conclusions({
  status,
  status_changed_at,
  containers,
  eta,
  exceptions,
  origin,
  destination,
  delivered_at,
}: Json) {
  const problems = exceptions.map(({ message: _, event_id: __, ...exception }: Json) => exception);
  const reported = {
    status,
    status_changed_at,
    containers,
    eta: eta?.time.at,
    problems,
    origin,
    destination,
    delivered_at,
  };
  // The same instant is written in more than one way: to the second or to the minute, local or in UTC.
  const text = JSON.stringify(reported, (name, value) => (writings.includes(name) ? undefined : value));
  return JSON.parse(text.replaceAll(/"(evt_[0-9a-z]{26}|client:\w+)"/g, '"of its own"'));
}

test('reads from messages of all kinds exactly the simulator’s events, and names each damaged message', async () => {
  const random = createRandom('edi', 'truth');
  const truths = planTruths('EDI', statementCount, Date.now());
  const ids = await register(truths);
  const kept = new Map<Truth, Statement[]>(truths.map((truth) => [truth, [...truth.statements]]));
  const spoilt = new Map<Written, Spoilt>();
  const messages: Written[] = [];
  for (const truth of truths)
    for (const draft of writeMessages(truth)) {
      const serial = messages.length + 1;
      if (!random.chance(spoiltShare) && messages.length % 211 !== 7) {
        messages.push(enclose(draft.kind, draft.body, serial));
        continue;
      }
      const one = spoilMessage(draft, spoils[spoilt.size % spoils.length] ?? 'date', serial);
      spoilt.set(one.written, one);
      messages.push(one.written);
      kept.set(
        truth,
        (kept.get(truth) ?? []).filter((statement) => !one.lost.includes(statement)),
      );
    }
  let serial = 0;
  for (const kind of kinds) {
    const own = messages.filter((message) => message.kind === kind);
    for (let start = 0; start < own.length; start += fileSize) {
      serial += 1;
      const some = own.slice(start, start + fileSize);
      const file = writeFile(kind, some, serial);
      const answer = await post(paths[kind].path, file, paths[kind].type);
      const body = await jsonOf(answer);
      expect([answer.status, body.interchanges?.[0]?.faults], JSON.stringify(body).slice(0, 500)).toEqual([200, []]);
      const results = body.interchanges[0].messages;
      expect(results.map(({ control_number: control }: { control_number: string }) => control)).toEqual(
        some.map(({ control }) => control),
      );
      for (const [index, message] of some.entries()) {
        const one = spoilt.get(message);
        const { outcome, faults } = results[index];
        if (one === undefined) expect([outcome, faults], message.segments.join('~')).toEqual(['taken', []]);
        else {
          expect(
            [outcome, faults.length, faults[0]?.tag],
            `${message.segments.join('~')} ${JSON.stringify(faults)}`,
          ).toEqual([one.outcome, 1, one.tag]);
          expect(faults[0].reason).toMatch(one.reason);
          expect(message.segments[faults[0].segment - 1]).toContain(one.tag);
        }
      }
    }
  }
  expect(messages.length).toBeGreaterThanOrEqual(scaled({ short: 1000, full: 10_000 }));
  expect(spoilt.size).toBeGreaterThanOrEqual(messages.length * spoiltShare);

  // Twins get the same history as plain rows: what follows from it must be the same.
  const twins = await register(truths.map(twinOf));
  const rows = truths.flatMap((truth) => (kept.get(truth) ?? []).flatMap(eventsIn).map((row) => toRow(truth, row)));
  for (let start = 0; start < rows.length; start += 1000) {
    const body = JSON.stringify({ events: rows.slice(start, start + 1000) });
    const answer = await jsonOf(await post('/v1/events/batch', body, 'application/json'));
    expect(answer.summary.failed, JSON.stringify(answer.results[0])).toBe(0);
  }
  const idsOfTwins = [...twins.values()];
  const check = async (truth: Truth, index: number): Promise<void> => {
    const [id, twin] = [ids.get(truth) ?? '', idsOfTwins[index] ?? ''];
    const [events, ...records] = await Promise.all([eventsOf(id), recordOf(id), recordOf(twin)]);
    expect(events).toEqual((kept.get(truth) ?? []).flatMap(eventsIn).map(shown).sort());
    const [record, twinRecord] = records.map(conclusions);
    expect(record).toEqual(twinRecord);
  };
  for (let start = 0; start < truths.length; start += 20)
    await Promise.all(truths.slice(start, start + 20).map((truth, place) => check(truth, start + place)));
});

/** The same shipment under another number. */
function twinOf(truth: Truth): Truth {
  return {
    ...truth,
    registration: JSON.parse(JSON.stringify(truth.registration).replace(truth.number, twinNumber(truth))),
  };
}

function twinNumber({ kind, number }: Truth): string {
  if (kind !== 'FSU') return `${number}T`;
  const serial = `057${number.slice(4, 11)}`;
  return `${serial.slice(0, 3)}-${serial.slice(3)}${awbCheckDigit(serial)}`;
}

const keys = { '214': 'pro', '315': 'mbl', '322': 'waybill', IFTSTA: 'mbl', FSU: 'awb' } as const;

function toRow(truth: Truth, { code, classifier, atMs, spot, container, vehicle }: Row): object {
  const local = localTime(atMs, spot.zone).slice(0, 16);
  return {
    shipment: { [keys[truth.kind]]: twinNumber(truth) },
    source_name: 'twin',
    code,
    classifier,
    time: { local, timezone: spot.zone },
    location:
      'port' in spot
        ? { unlocode: spot.port }
        : 'airport' in spot
          ? { iata: spot.airport }
          : { name: placeOf(spot), country: countryCode(spot.country) },
    ...(container === null ? {} : { container }),
    ...(vehicle === null ? {} : { vehicle }),
  };
}

async function recordOf(id: string): Promise<Json> {
  return jsonOf(await fetch(`${api.url}/v1/shipments/${id}`, { headers: { authorization: `Bearer ${key}` } }));
}
