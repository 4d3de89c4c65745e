import { readShipmentId } from '#shared/contract/record/shipment-id.ts';
import type { Place, ReadEvent } from '#shared/domain/events/event.ts';
import type { FetchResult } from '#shared/domain/record/shipment.ts';
import { jsonOf, type TestApi } from '#test/support/api/api.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';

const dayMs = 86_400_000;
type Port = Place & { hours: number };

const shanghai = port('Shanghai', 'CNSHA', { lat: 31.35, lng: 121.6, hours: 8, timezone: 'Asia/Shanghai' });
const singapore = port('Singapore', 'SGSIN', { lat: 1.26, lng: 103.82, hours: 8, timezone: 'Asia/Singapore' });
const rotterdam = port('Rotterdam', 'NLRTM', { lat: 51.95, lng: 4.05, hours: 1, timezone: 'Europe/Amsterdam' });

type Sketch = { code: ReadEvent['code']; days: number; at: Port; container: string } & Partial<ReadEvent>;

/** A voyage with a transshipment, at sea on its second leg, whose ETA has moved twice. `days` are counted from now. */
export function voyage(boxes: readonly string[]): FetchResult {
  const events = boxes.flatMap((container): Sketch[] => [
    { container, code: 'gate_in_full', days: -24, at: shanghai },
    { container, code: 'loaded', days: -22.2, at: shanghai, vehicle: ship('Landfall Star', '011W') },
    { container, code: 'departed', days: -22, at: shanghai, vehicle: ship('Landfall Star', '011W') },
    { container, code: 'arrived', days: -15, at: singapore, vehicle: ship('Landfall Star', '011W') },
    { container, code: 'discharged', days: -14.8, at: singapore, vehicle: ship('Landfall Star', '011W') },
    { container, code: 'loaded', days: -11.3, at: singapore, vehicle: ship('Landfall Moon', '007W') },
    { container, code: 'departed', days: -11, at: singapore, vehicle: ship('Landfall Moon', '007W') },
  ]);
  const [first = ''] = boxes;
  const estimate = (days: number, seen: number): Sketch => ({
    container: first,
    code: 'arrived',
    classifier: 'estimated',
    days,
    at: rotterdam,
    vehicle: ship('Landfall Moon', '007W'),
    sourceCreatedAt: new Date(Date.now() + seen * dayMs).toISOString(),
  });
  return readingOf([...events, estimate(8, -22), estimate(9.5, -12), estimate(11, -3)]);
}

/** A reading of these events, at their local times. */
export function readingOf(sketches: readonly Sketch[]): FetchResult {
  const result = found(
    ...sketches.map(({ days: _days, at, ...event }) => ({ ...event, location: at, local: '2026-01-01T00:00' })),
  );
  if (result.outcome !== 'found') throw new Error('the carrier shows nothing');
  const events = result.reading.events.map((event, index) => {
    const { days = 0, at = rotterdam } = sketches[index] ?? {};
    const { hours: _hours, ...location } = at;
    return { ...event, location, time: timeAt(days, at) };
  });
  return { ...result, reading: { ...result.reading, source: 'dcsa:maersk', events } };
}

/** Registers a shipment and records what the carrier says of it. Returns its id. */
export async function draw(api: TestApi, registration: object, seen: FetchResult): Promise<string> {
  const answer = await api.post('/v1/shipments', { transport_mode: 'ocean', carrier: 'MAEU', ...registration });
  if (answer.status !== 201) throw new Error(await answer.text());
  const { shipment_id: id } = await jsonOf(answer);
  await refresh(api.ctx.core, { accountId: api.accountId, shipmentId: readShipmentId(id) ?? '' }, seen);
  return id;
}

/** Container numbers with a right check digit (ISO 6346). */
export function containerNumber(index: number): string {
  const base = `MSKU${100_000 + index}`;
  const values = '0123456789A?BCDEFGHIJK?LMNOPQRSTU?VWXYZ';
  const sum = [...base].reduce((total, letter, at) => total + values.indexOf(letter) * 2 ** at, 0);
  return `${base}${(sum % 11) % 10}`;
}

export function port(
  name: string,
  unlocode: string,
  { hours, ...rest }: Pick<Place, 'lat' | 'lng' | 'timezone'> & { hours: number },
): Port {
  return { name, unlocode, iata: null, country: unlocode.slice(0, 2), facility: null, ...rest, hours };
}

function ship(name: string, voyage: string) {
  return { name, imo: null, voyage, flight: null };
}

function timeAt(days: number, { hours, timezone }: Port): ReadEvent['time'] {
  const atMs = Math.round((Date.now() + days * dayMs) / 60_000) * 60_000;
  return {
    at: new Date(atMs).toISOString(),
    local: new Date(atMs + hours * 3_600_000).toISOString().slice(0, 16),
    timezone,
    zoneSource: 'carrier',
    precision: 'minute',
  };
}
