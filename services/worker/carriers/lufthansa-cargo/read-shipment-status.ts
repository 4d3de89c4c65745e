import {
  flightNumber,
  fsuCode,
  fsuMeaning,
  fsuStatusDetail,
  isAboutFlight,
} from '#shared/domain/carriers/fsu-codes.ts';
import type {
  Classifier,
  EventDetails,
  LegRole,
  Place,
  ReadEvent,
  Reading,
  Vehicle,
} from '#shared/domain/events/event.ts';
import { compareText } from '#shared/domain/events/event-order.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { enrichPlace } from '#shared/places/find-place.ts';
import { child, type LenientObject, listedItems, readObject, text } from '../lenient-object.ts';
import { bareEvent } from '../reading/bare-event.ts';
import { type MilestoneLine, promisedEvents, readBooking } from './read-booking.ts';
import { readTotals } from './read-totals.ts';

/** One milestone or event of the response before it is mapped. `raw` is the original. */
type Line = MilestoneLine;

/**
 * Parses the status of a shipment. Milestones are planned and estimated (and actual where there is no matching event);
 * events are actual. The same event appears in up to three places of the response and is read once, with the flight of
 * its milestone. A shipment that travels in parts has an event for each part, with the pieces that it is about. Times are
 * UTC (the times of a departure and its arrival differ by the flight time); a time without `Z` is local at its station.
 */
export function readShipmentStatus(status: LenientObject): Omit<Reading, 'source'> {
  const unreadable: UnreadableEvent[] = [];
  const addUnreadable = addingOnce(unreadable);
  const booking = child(status, 'booking');
  const ends = { origin: stationOf(booking, 'origin'), destination: stationOf(booking, 'destination') };
  const roleAt = rolesOf(ends.origin, ends.destination);
  const itemsOf = (object: LenientObject | null, list: string, name: string): Pick<Line, 'raw' | 'fields'>[] => {
    const { items, unreadable: wrappers } = wrappedItems(object, list, name);
    unreadable.push(...wrappers);
    return items.flatMap((raw) => {
      const fields = readObject(raw);
      if (fields !== null) return [{ raw, fields }];
      unreadable.push({ raw, reason: `the ${name} is not an object` });
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
      unreadable.push({ raw: line.raw, reason: `${name} is not a time` });
      return null;
    }
    const { carrierCode } = line;
    const { details, unreadable: measures } = detailsOf(line, classifier);
    addUnreadable(measures);
    return bareEvent({
      ...fsuMeaning(carrierCode),
      classifier,
      time,
      location,
      legRole: roleAt(line.station),
      mode: 'air',
      vehicle: isAboutFlight(carrierCode) && line.flight !== null ? vehicleOf(line.flight) : null,
      carrierCode,
      carrierDescription: text(line.fields, 'classifier', 'flightEventInformation'),
      ...(details === null ? {} : { details }),
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
  const byKey = new Map<string, ReadEvent[]>();
  const add = (line: Line): void => {
    const event = make({ ...line, flight: line.flight ?? onlyFlight(milestones, line) }, 'actualTime', 'actual');
    if (event === null) return;
    const key = `${line.carrierCode}|${line.station}|${event.time.local}`;
    const parts = byKey.get(key) ?? [];
    byKey.set(key, parts);
    const same = parts.findIndex((part) => isSamePart(part, event));
    if (same < 0) parts.push(event);
    else parts[same] = merged(parts[same] ?? event, event);
  };
  for (const line of lines) {
    if (line.carrierCode === '') unreadable.push({ raw: line.raw, reason: 'type is missing' });
    else if (text(line.fields, 'actualTime') === null)
      unreadable.push({ raw: line.raw, reason: 'actualTime is missing' });
    else add(line);
  }
  for (const line of milestones) {
    const isStated = lines.some((each) => each.carrierCode === line.carrierCode && each.station === line.station);
    if (line.carrierCode === '') unreadable.push({ raw: line.raw, reason: 'type is missing' });
    else if (!isStated) add(line);
  }
  const estimate = estimateOf(status, milestones, make);
  const promised = promisedEvents(booking, milestones, make);
  const { facts, unreadable: measures } = readBooking(booking);
  addUnreadable(measures);
  return {
    events: [
      ...oldestFirst([...byKey.values()].flat()),
      ...expected,
      ...promised,
      ...(estimate === null ? [] : [estimate]),
    ],
    unreadable,
    ...(facts === undefined ? {} : { facts }),
    ...(ends.origin === null && ends.destination === null
      ? {}
      : { route: { origin: placeOf(ends.origin), destination: placeOf(ends.destination) } }),
  };
}

/** The items of a list in a wrapper: `events: {event: […]}`. An empty wrapper is an empty list. */
function wrappedItems(object: LenientObject | null, list: string, name: string): ReturnType<typeof listedItems> {
  const wrapper = child(object, list);
  if (wrapper === null) return listedItems(object, list);
  if (wrapper.size === 0 || wrapper.has(name)) return listedItems(wrapper, name);
  return { items: [], unreadable: [{ raw: Object.fromEntries(wrapper), reason: `${list} holds no ${name}` }] };
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

/** Returns the details of a line beside its time: planned pieces of an expected event, actual ones of a past event. */
function detailsOf(
  { fields, carrierCode }: Line,
  classifier: Classifier,
): { details: EventDetails | null; unreadable: UnreadableEvent[] } {
  const { totals, unreadable } = readTotals(fields, classifier === 'actual' ? 'actualTotals' : 'plannedTotals');
  const planned = classifier === 'actual' ? readTotals(fields, 'plannedTotals').totals.piecesCount : undefined;
  const isPart = planned !== undefined && totals.piecesCount !== undefined && totals.piecesCount < planned;
  const statusDetail = fsuStatusDetail(carrierCode);
  const details: EventDetails = {
    ...(statusDetail === null ? {} : { statusDetail }),
    ...totals,
    ...(isPart ? { piecesTotal: planned } : {}),
  };
  return { details: Object.keys(details).length === 0 ? null : details, unreadable };
}

function oldestFirst(events: readonly ReadEvent[]): ReadEvent[] {
  return [...events].sort((left, right) => compareText(left.time.at, right.time.at));
}

/** Events of one kind at one place and time are one, unless they state different pieces. */
function isSamePart(one: ReadEvent, other: ReadEvent): boolean {
  const [left, right] = [one.details?.piecesCount, other.details?.piecesCount];
  return left === undefined || right === undefined || left === right;
}

/** The event with the flight, and what either says of the pieces. */
function merged(one: ReadEvent, other: ReadEvent): ReadEvent {
  const [base, rest] = one.vehicle === null && other.vehicle !== null ? [other, one] : [one, other];
  const details = { ...rest.details, ...base.details };
  return Object.keys(details).length === 0 ? base : { ...base, details };
}

/** The same event appears in several places of the response: what can't be read of it is set aside once. */
function addingOnce(unreadable: UnreadableEvent[]): (added: readonly UnreadableEvent[]) => void {
  const known = new Set<string>();
  return (added) => {
    for (const each of added) {
      const text = JSON.stringify(each);
      if (!known.has(text)) unreadable.push(each);
      known.add(text);
    }
  };
}

/** The carrier states origin and destination. Roles in between are inferred. */
function rolesOf(origin: string | null, destination: string | null): (station: string | null) => LegRole {
  return (station) => {
    if (station === null || origin === destination) return 'unknown';
    if (station === destination) return 'pod';
    return station === origin ? 'pol' : 'unknown';
  };
}

function stationOf(object: LenientObject | null, name: string): string | null {
  return text(object, name)?.toUpperCase() ?? null;
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
