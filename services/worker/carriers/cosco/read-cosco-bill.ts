import type { CarrierTime, EventCode, LegRole, Place, ReadEvent, Vehicle } from '#shared/domain/events/event.ts';
import { placeKey } from '#shared/domain/events/place-key.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { child, decimal, type LenientObject, listedItems, readObject, text } from '../lenient-object.ts';
import { bareEvent } from '../reading/bare-event.ts';
import { statedFacts } from '../reading/stated-facts.ts';
import { coscoPlace, coscoTerminal } from './cosco-place.ts';
import { type CoscoReading, describedContainer, readCoscoMove } from './read-cosco-container.ts';

/**
 * Parses the response for a B/L or booking: the legs of the voyage with their planned and actual times, and the last
 * move of each container.
 */
export function readCoscoBill(content: LenientObject): CoscoReading {
  const path = child(content, 'trackingPath');
  const route = { origin: coscoPlace(text(path, 'fromCity')), destination: coscoPlace(text(path, 'toCity')) };
  const legs = readLegs(content, path, [route.origin, route.destination]);
  const containers = readContainers(content);
  const facts = statedFacts({ weightKg: containers.weightKg, piecesCount: containers.piecesCount });
  return {
    events: [...legs.events, ...containers.events, ...availabilityOf(path, route.destination)],
    unreadable: [...legs.unreadable, ...containers.unreadable],
    ...(route.origin === null && route.destination === null ? {} : { route }),
    ...(facts === undefined ? {} : { facts }),
  };
}

type Read = { events: ReadEvent[]; unreadable: UnreadableEvent[] };

function readLegs(content: LenientObject, path: LenientObject | null, ends: readonly (Place | null)[]): Read {
  const { items, unreadable } = listedItems(content, 'actualShipment');
  const legs: LenientObject[] = [];
  for (const raw of items) {
    const leg = readObject(raw);
    if (leg !== null && text(leg, 'portOfLoading', 'portOfDischarge') !== null) legs.push(leg);
    else unreadable.push({ raw, reason: 'the leg names no port' });
  }
  legs.sort((left, right) => (decimal(left, 'sequenceNumber') ?? 0) - (decimal(right, 'sequenceNumber') ?? 0));
  const hints = [...ends, ...legs.map((leg) => coscoPlace(text(leg, 'city')))];
  const terminals = [coscoTerminal(text(path, 'pol'), hints), coscoTerminal(text(path, 'pod'), hints)] as const;
  const events = legs.flatMap((leg, index) => {
    const first = index === 0 ? 'pol' : 'transshipment';
    const last = index === legs.length - 1 ? 'pod' : 'transshipment';
    return readLeg(leg, { hints, terminals, roles: [first, last], unreadable });
  });
  return { events, unreadable };
}

type LegContext = {
  hints: readonly (Place | null)[];
  /** The first port of loading and the last port of discharge with their terminals. */
  terminals: readonly [Place | null, Place | null];
  roles: readonly [LegRole, LegRole];
  unreadable: UnreadableEvent[];
};

/** The times of a leg. COSCO writes them local to the port, without an offset. */
function readLeg(leg: LenientObject, { hints, terminals, roles, unreadable }: LegContext): ReadEvent[] {
  const from = atTerminal(coscoPlace(text(leg, 'portOfLoading'), hints), roles[0] === 'pol' ? terminals[0] : null);
  const to = atTerminal(coscoPlace(text(leg, 'portOfDischarge'), hints), roles[1] === 'pod' ? terminals[1] : null);
  const vehicle: Vehicle = { name: text(leg, 'vesselName'), imo: null, voyage: text(leg, 'voyageNo'), flight: null };
  const raw = Object.fromEntries(leg);
  const event = (name: string, code: EventCode, classifier: 'estimated' | 'actual'): ReadEvent[] => {
    const isStart = code === 'departed' || code === 'loaded';
    const location = isStart ? from : to;
    const written = text(leg, name);
    if (written === null) return [];
    const time = localTime(written, location);
    if (time === null) {
      unreadable.push({ raw: { [name]: written }, reason: `${name} is not a time` });
      return [];
    }
    const legRole = isStart ? roles[0] : roles[1];
    return [bareEvent({ code, classifier, legRole, time, location, mode: 'ocean', vehicle, carrierCode: name, raw })];
  };
  return [
    ...event('actualShippingDate', 'loaded', 'actual'),
    ...event('expectedDateOfDeparture', 'departed', 'estimated'),
    ...event('actualDepartureDate', 'departed', 'actual'),
    ...event('estimatedDateOfArrival', 'arrived', 'estimated'),
    ...event('actualArrivalDate', 'arrived', 'actual'),
    ...event('actualDischargeDate', 'discharged', 'actual'),
  ];
}

function atTerminal(port: Place | null, terminal: Place | null): Place | null {
  const isSame = port !== null && placeKey(port) === placeKey(terminal);
  return isSame ? { ...port, facility: terminal?.facility ?? null } : port;
}

function readContainers(content: LenientObject): Read & { weightKg: number | null; piecesCount: number | null } {
  const groups = listedItems(content, 'containerStatus');
  const events: ReadEvent[] = [];
  const unreadable: UnreadableEvent[] = [...groups.unreadable];
  const weights: (number | undefined)[] = [];
  const counts: (number | undefined)[] = [];
  for (const raw of groups.items) {
    const group = readObject(raw);
    if (group === null || !group.has('containers')) {
      unreadable.push({ raw, reason: 'the group names no containers' });
      continue;
    }
    const listed = listedItems(group, 'containers');
    unreadable.push(...listed.unreadable);
    for (const item of listed.items) {
      const about = describedContainer(readObject(item), null);
      unreadable.push(...about.unreadable);
      weights.push(about.details.weightKg);
      counts.push(about.details.piecesCount);
      const event = readCoscoMove(item, about);
      if ('reason' in event) unreadable.push(event);
      else events.push(event);
    }
  }
  return { events, unreadable, weightKg: sumOf(weights), piecesCount: sumOf(counts) };
}

/** The sum over all containers. Null when one of them does not state its own. */
function sumOf(values: readonly (number | undefined)[]): number | null {
  const stated = values.filter((value) => value !== undefined);
  if (stated.length === 0 || stated.length < values.length) return null;
  return Math.round(stated.reduce((sum, value) => sum + value, 0) * 1000) / 1000;
}

/** When the cargo is expected to be ready for the consignee. */
function availabilityOf(path: LenientObject | null, location: Place | null): ReadEvent[] {
  const written = text(path, 'cgoAvailTm');
  const time = written === null ? null : localTime(written, location);
  if (time === null) return [];
  return [
    bareEvent({
      code: 'available_for_pickup',
      classifier: 'estimated',
      legRole: 'destination',
      time,
      location,
      carrierCode: 'cgoAvailTm',
      raw: { cgoAvailTm: written },
    }),
  ];
}

function localTime(written: string, place: Place | null): CarrierTime | null {
  return carrierTime(written, { policy: 'localNoOffset', place, zoneSource: 'location' });
}
