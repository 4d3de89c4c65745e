import { localMinute } from '#shared/domain/registration/dedupe.ts';
import type { Classifier, LegRole, Place, ReadEvent, Reading, Vehicle } from '#shared/domain/tracking/event.ts';
import { compareText } from '#shared/domain/tracking/event-order.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { enrichPlace } from '#shared/places/find-place.ts';
import { bareEvent } from '../bare-event.ts';
import { flightNumber, fsuCode, fsuMeaning, isAboutFlight } from '../fsu-codes.ts';
import { child, children, decimal, type LenientObject, listedItems, readObject, text } from '../lenient-object.ts';

/** One milestone or event of the response before it is mapped. `raw` is the original. */
type Line = { raw: unknown; fields: LenientObject; carrierCode: string; station: string | null; flight: string | null };
type Part = { event: ReadEvent; pieces: number | null };

/**
 * Parses the status of a shipment. Milestones are planned and estimated (and actual where there is no matching event);
 * events are actual. The same event appears in up to three places of the response and is read once, with the flight of
 * its milestone. Times are UTC (the times of a departure and its arrival differ by the flight time); a time without `Z`
 * is local at its station.
 */
export function readShipmentStatus(status: LenientObject): Omit<Reading, 'source'> {
  const rejected: Reading['rejected'] = [];
  const booking = child(status, 'booking');
  const roleAt = rolesOf(text(booking, 'origin'), text(booking, 'destination'));
  const itemsOf = (object: LenientObject | null, list: string, name: string): Pick<Line, 'raw' | 'fields'>[] => {
    const { items, setAside } = wrappedItems(object, list, name);
    rejected.push(...setAside);
    return items.flatMap((raw) => {
      const fields = readObject(raw);
      if (fields !== null) return [{ raw, fields }];
      rejected.push({ raw, reason: `the ${name} is not an object` });
      return [];
    });
  };
  const milestones = itemsOf(child(status, 'milestonePlan'), 'milestones', 'milestone').map((item) =>
    lineOf(item, null),
  );
  const make = (line: Line, name: string, classifier: Classifier): ReadEvent | null => {
    const written = text(line.fields, name);
    if (written === null) return null;
    const location = placeOf(line.station);
    const time = carrierTime(written, { policy: 'localNoOffset', place: location });
    if (time === null) {
      rejected.push({ raw: line.raw, reason: `${name} is not a time` });
      return null;
    }
    const { carrierCode } = line;
    const meaning = fsuMeaning(carrierCode);
    return bareEvent({
      ...meaning,
      classifier,
      time,
      location,
      legRole: roleAt(line.station),
      mode: 'air',
      vehicle: isAboutFlight(carrierCode) && line.flight !== null ? vehicleOf(line.flight) : null,
      carrierCode,
      carrierDescription: text(line.fields, 'classifier'),
      raw: line.raw,
    });
  };

  const expected = milestones.flatMap((line) => {
    if (line.carrierCode === '') return [];
    return [make(line, 'plannedTime', 'planned'), make(line, 'estimatedTime', 'estimated')].filter(
      (event) => event !== null,
    );
  });
  const lines = [
    ...milestones.flatMap((milestone) =>
      itemsOf(milestone.fields, 'events', 'event').map((item) => lineOf(item, milestone)),
    ),
    ...itemsOf(status, 'events', 'event').map((item) => lineOf(item, null)),
  ];
  const parts = new Map<string, Part>();
  const add = (line: Line): void => {
    const event = make({ ...line, flight: line.flight ?? onlyFlight(milestones, line) }, 'actualTime', 'actual');
    if (event === null) return;
    const key = `${line.carrierCode}|${line.station}|${localMinute(event)}`;
    const present = parts.get(key);
    if (present === undefined || (present.event.vehicle === null && event.vehicle !== null)) {
      parts.set(key, { event, pieces: piecesOf(line.fields) ?? present?.pieces ?? null });
    }
  };
  for (const line of lines) {
    if (line.carrierCode === '') rejected.push({ raw: line.raw, reason: 'type is missing' });
    else if (text(line.fields, 'actualTime') === null)
      rejected.push({ raw: line.raw, reason: 'actualTime is missing' });
    else add(line);
  }
  for (const line of milestones) {
    const isTold = lines.some((each) => each.carrierCode === line.carrierCode && each.station === line.station);
    if (line.carrierCode === '') rejected.push({ raw: line.raw, reason: 'type is missing' });
    else if (!isTold) add(line);
  }
  const total = decimal(child(booking, 'totals'), 'noOfPieces');
  const estimate = estimateOf(status, milestones, make);
  return {
    events: [...settleParts([...parts.values()], total), ...expected, ...(estimate === null ? [] : [estimate])],
    rejected,
  };
}

/** The items of a list in a wrapper: `events: {event: […]}`. An empty wrapper is an empty list. */
function wrappedItems(object: LenientObject | null, list: string, name: string): ReturnType<typeof listedItems> {
  const wrapper = child(object, list);
  if (wrapper === null) return listedItems(object, list);
  if (wrapper.size === 0 || wrapper.has(name)) return listedItems(wrapper, name);
  return { items: [], setAside: [{ raw: Object.fromEntries(wrapper), reason: `${list} holds no ${name}` }] };
}

function lineOf({ raw, fields }: Pick<Line, 'raw' | 'fields'>, milestone: Line | null): Line {
  const discrepancy = text(fields, 'classifier');
  const type = fsuCode(text(fields, 'type') ?? '');
  const carrierCode =
    type === 'DIS' && discrepancy !== null && /^[A-Z]{4}$/i.test(discrepancy) ? fsuCode(`DIS_${discrepancy}`) : type;
  const flight = child(fields, 'flight');
  return {
    raw,
    fields,
    carrierCode,
    station: text(fields, 'station')?.toUpperCase() ?? milestone?.station ?? null,
    flight:
      flightNumber(`${text(flight, 'flightCarrierCode') ?? ''}${text(flight, 'flightNumber') ?? ''}`) ??
      milestone?.flight ??
      null,
  };
}

/** The flight of the only milestone that matches the event. Null when several match. */
function onlyFlight(milestones: readonly Line[], { carrierCode, station }: Line): string | null {
  const flights = new Set(
    milestones
      .filter((line) => line.carrierCode === carrierCode && line.station === station)
      .map((line) => line.flight),
  );
  const [flight] = flights;
  return flights.size === 1 && flight !== undefined ? flight : null;
}

/**
 * `flightMovementDetails` applies when exactly one flight is expected. It is an estimate of that flight's planned
 * arrival.
 */
function estimateOf(
  status: LenientObject,
  milestones: readonly Line[],
  make: (line: Line, name: string, classifier: Classifier) => ReadEvent | null,
): ReadEvent | null {
  const movement = child(status, 'flightMovementDetails');
  if (movement === null) return null;
  const flight = flightNumber(`${text(movement, 'flightCarrierCode') ?? ''}${text(movement, 'flightNumber') ?? ''}`);
  const arrival = milestones.find((line) => line.carrierCode === 'ARR' && line.flight === flight);
  if (arrival === undefined || flight === null) return null;
  const line = { ...arrival, fields: movement, raw: status.get('flightmovementdetails') };
  return make(line, text(movement, 'etaUTC') === null ? 'eta' : 'etaUTC', 'estimated');
}

/** The shipment is delivered with its last piece. Earlier partial deliveries are kept as information. */
function settleParts(parts: readonly Part[], total: number | null): ReadEvent[] {
  let delivered = 0;
  return [...parts]
    .sort((left, right) => compareText(left.event.time.at, right.event.time.at))
    .map(({ event, pieces }) => {
      if (pieces === null || total === null || pieces >= total) return event;
      const isDelivery = event.code === 'delivered';
      if (isDelivery) delivered += pieces;
      const code = isDelivery && delivered < total ? 'other' : event.code;
      return { ...event, code, description: event.description ?? `${pieces} of ${total} pieces` };
    });
}

/** `actualTotals` is an object in the published examples and a list in the description. */
function piecesOf(fields: LenientObject): number | null {
  const pieces = children(fields, 'actualTotals').map((totals) => decimal(totals, 'noOfPieces'));
  const known = pieces.filter((each) => each !== null && each > 0);
  return known.length === 0 ? null : known.reduce<number>((sum, each) => sum + (each ?? 0), 0);
}

/** The carrier states origin and destination. Roles in between are inferred. */
function rolesOf(origin: string | null, destination: string | null): (station: string | null) => LegRole {
  return (station) => {
    if (station === null || origin === destination) return 'unknown';
    if (station === destination?.toUpperCase()) return 'pod';
    return station === origin?.toUpperCase() ? 'pol' : 'unknown';
  };
}

function placeOf(station: string | null): Place | null {
  if (station === null) return null;
  const iata = /^[A-Z]{3}$/.test(station) ? station : null;
  const name = iata === null ? station : null;
  return enrichPlace({
    name,
    unlocode: null,
    iata,
    country: null,
    lat: null,
    lng: null,
    timezone: null,
    facility: null,
  });
}

function vehicleOf(flight: string): Vehicle {
  return { name: null, imo: null, voyage: null, flight };
}
