import type { InputMistake } from '#shared/domain/errors.ts';
import type { CarrierTime, EventDetails, Place, ReadEvent, TimeWindow, Vehicle } from '#shared/domain/events/event.ts';
import { futureToleranceMs } from '#shared/domain/events/event-order.ts';
import type {
  SentEventRow,
  SentPlace,
  SentPosition,
  SentTime,
  SentVehicle,
} from '#shared/domain/events-in/event-row.ts';
import { withoutEmpty } from '#shared/domain/events-in/vehicle-position.ts';
import { isTimezone } from '#shared/domain/instant-of.ts';
import { positionMistake, type VehiclePosition } from '#shared/domain/positions/vehicle-position.ts';
import { matchValue } from '#shared/domain/registration/identifiers.ts';
import { findAirport } from '#shared/places/airports.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { countryCode } from '#shared/places/country-codes.ts';
import { enrichPlace, findPlace, nowhere } from '#shared/places/find-place.ts';

/** Content of a row: an event, a position of its vehicle, or both. */
export type ReadRow = { event: ReadEvent | null; position: VehiclePosition | null };

const earliestMs = Date.UTC(2000, 0, 1);
const maxAheadMs = 366 * 86_400_000;

/**
 * Reads what a row means, or names every mistake, those in its shape included: unknown places and codes, times that
 * can't be meant, and rows that say nothing. Names are stored as they are, never resolved to codes.
 */
export function readEventRow(row: SentEventRow, nowMs: number): ReadRow | readonly InputMistake[] {
  const mistakes: InputMistake[] = [...(row.mistakes ?? [])];
  const refuse: Refuse = (pointer, code, detail) => {
    mistakes.push({ pointer, code, detail });
    return null;
  };
  const says = row.code !== null || saysOfContainer(row);
  const location = row.location === null ? null : readPlace(row.location, refuse);
  const time = row.time === null ? null : readTime(row.time, { location, classifier: row.classifier, nowMs }, refuse);
  if (row.time === null && says && mistakes.length === 0) refuse('/time', 'required', 'time is required.');
  const sent = row.vehicle?.position ?? null;
  const position = sent === null ? null : readPosition(row, { sent, time, nowMs }, refuse);
  for (const [pointer, number] of [
    ['/container', row.container],
    ['/piece', row.piece],
  ] as const)
    if (number !== null && matchValue(number) === '')
      refuse(pointer, 'invalid_format', `${pointer.slice(1)} must have letters or digits.`);
  const createdAt = row.createdAt === null ? null : readCreatedAt(row.createdAt, nowMs, refuse);
  if (!says && sent === null && mistakes.length === 0) {
    const detail = 'The row is empty. Send code, holds, last_free_days, fees, available or vehicle.position.';
    refuse('', 'required', detail);
  }
  if (mistakes.length > 0) return mistakes;
  if (!says || time === null) return { event: null, position };
  const start =
    row.windowFrom === undefined
      ? null
      : readTime(row.windowFrom, { location, classifier: row.classifier, nowMs }, refuse);
  const window = start === null || start.at > time.at ? null : { from: start, to: time };
  return { event: toEvent(row, { location, time, createdAt, window }), position };
}

type Refuse = (pointer: string, code: string, detail: string) => null;

function saysOfContainer({ holds, fees, freeDays, available }: SentEventRow): boolean {
  return holds.length > 0 || fees.length > 0 || freeDays.length > 0 || available !== null;
}

type Parts = { location: Place | null; time: CarrierTime; createdAt: string | null; window: TimeWindow | null };

function toEvent(row: SentEventRow, { location, time, createdAt, window }: Parts): ReadEvent {
  const { holds, fees, freeDays, available, piece } = row;
  const details: EventDetails = {
    ...(row.sourceName === null ? {} : { sourceName: row.sourceName }),
    ...(piece === null ? {} : { piece: matchValue(piece) }),
    ...(holds.length === 0 ? {} : { holds: [...holds] }),
    ...(fees.length === 0 ? {} : { fees: [...fees] }),
    ...(freeDays.length === 0 ? {} : { freeDays: [...freeDays] }),
    ...(available === null ? {} : { available }),
    ...row.details,
    ...(window === null ? {} : { window }),
  };
  return {
    code: row.code ?? 'notice',
    classifier: row.classifier,
    legRole: 'unknown',
    time,
    location,
    container: row.container === null ? null : matchValue(row.container),
    isoType: null,
    mode: row.transportMode,
    vehicle: row.vehicle && namedVehicle(row.vehicle),
    empty: row.empty ?? null,
    seals: [...(row.seals ?? [])],
    delayReason: null,
    document: null,
    description: row.description,
    carrierCode: row.sourceCode ?? null,
    carrierDescription: row.sourceWords ?? null,
    sourceEventId: row.externalId,
    sourceCreatedAt: createdAt,
    source: 'client',
    details,
    raw: row.raw,
  };
}

function namedVehicle(vehicle: SentVehicle): Vehicle | null {
  return withoutEmpty({
    name: vehicle.name,
    imo: vehicle.imo,
    voyage: vehicle.voyage,
    flight: vehicle.flight,
  });
}

function readPlace(sent: SentPlace, refuse: Refuse): Place | null {
  const { unlocode, iata, name, country, lat, lng, facility } = sent;
  const known = unlocode === null ? null : findPlace(unlocode);
  if (unlocode !== null && known === null)
    refuse('/location/unlocode', 'unknown_value', `Unknown UN/LOCODE: ${unlocode.slice(0, 16)}.`);
  if (iata !== null && findAirport(iata) === null)
    refuse('/location/iata', 'unknown_value', `Unknown IATA code: ${iata.slice(0, 16)}.`);
  const countryIso = country === null ? null : countryCode(country);
  if (country !== null && countryIso === null)
    refuse('/location/country', 'unknown_value', `Unknown ISO 3166-1 country code: ${country.slice(0, 16)}.`);
  if (known !== null && countryIso !== null && known.country !== countryIso)
    refuse('/location/country', 'conflict', `${known.unlocode} is in ${known.country}, not in ${countryIso}.`);
  if ((lat === null) !== (lng === null)) refuse('/location', 'required', 'lat and lng belong together. Send both.');
  if ([unlocode, iata, name, lat, facility].every((part) => part === null))
    refuse('/location', 'required', 'location must have unlocode, iata, name, or lat and lng.');
  return enrichPlace({
    name,
    unlocode: known?.unlocode ?? null,
    iata: findAirport(iata)?.iata ?? null,
    country: countryIso,
    lat,
    lng,
    timezone: null,
    facility,
  });
}

type Timing = { location: Place | null; classifier: SentEventRow['classifier']; nowMs: number };

function readTime(sent: SentTime, { location, classifier, nowMs }: Timing, refuse: Refuse): CarrierTime | null {
  if ('at' in sent) {
    const timezone = location?.timezone ?? sent.timezone ?? null;
    const place = timezone === null ? location : { ...(location ?? nowhere), timezone };
    const time = carrierTime(sent.at, { policy: 'offset', place });
    if (time === null || time.zoneSource !== 'carrier' || time.precision === 'date')
      return refuse(
        '/time/at',
        'invalid_format',
        'at must be a date and time with an offset: 2026-04-15T08:00:00+02:00.',
      );
    return within(time, { pointer: '/time/at', classifier, nowMs }, refuse);
  }
  if (sent.timezone !== null && !isTimezone(sent.timezone))
    return refuse('/time/timezone', 'unknown_value', `Unknown IANA time zone: ${sent.timezone.slice(0, 64)}.`);
  const timezone = sent.timezone ?? location?.timezone ?? null;
  const place = { ...(location ?? nowhere), timezone };
  const stated = sent.timezone === null ? {} : { zoneSource: 'location' as const };
  const time = carrierTime(sent.local, { policy: 'localNoOffset', place, ...stated });
  if (time === null || time.zoneSource === 'carrier')
    return refuse(
      '/time/local',
      'invalid_format',
      'local must be a date, or a date and time without an offset: 2026-04-15T08:00.',
    );
  if (timezone === null)
    return refuse('/time/timezone', 'required', 'The time zone of the location is unknown. Send timezone, or time.at.');
  return within(time, { pointer: '/time/local', classifier, nowMs }, refuse);
}

type Bounds = { pointer: string; classifier: SentEventRow['classifier']; nowMs: number };

function within(time: CarrierTime, { pointer, classifier, nowMs }: Bounds, refuse: Refuse): CarrierTime | null {
  const atMs = Date.parse(time.at);
  const shown = time.at.slice(0, 10);
  if (atMs < earliestMs)
    return refuse(pointer, 'too_early', `The time is in ${shown.slice(0, 4)}. It must not be before 2000.`);
  if (atMs > nowMs + maxAheadMs)
    return refuse(pointer, 'too_late', `The time is ${shown}. It must be at most one year ahead.`);
  if (classifier === 'actual' && atMs > nowMs + futureToleranceMs) {
    const detail = `The time is ${shown}. Something actual must not be more than 24 h ahead. Is it planned or estimated?`;
    return refuse(pointer, 'too_late', detail);
  }
  return time;
}

/** A statement from the future would hide every later one. */
function readCreatedAt(sent: string, nowMs: number, refuse: Refuse): string | null {
  const time = carrierTime(sent, { policy: 'offset', place: null });
  if (time === null || time.zoneSource !== 'carrier' || time.precision === 'date')
    return refuse('/created_at', 'invalid_format', 'created_at must be a date and time with an offset.');
  return within(time, { pointer: '/created_at', classifier: 'actual', nowMs }, refuse)?.at ?? null;
}

function readPosition(
  { vehicle, sourceName }: SentEventRow,
  { sent, time, nowMs }: { sent: SentPosition; time: CarrierTime | null; nowMs: number },
  refuse: Refuse,
): VehiclePosition | null {
  const { lat, lng, at } = sent;
  const pointer = '/vehicle/position/at';
  const stated = at === null ? time : carrierTime(at, { policy: 'offset', place: null });
  if (at === null && stated === null)
    return refuse(pointer, 'required', 'vehicle.position.at is required without time.');
  if (stated === null || (at !== null && (stated.zoneSource !== 'carrier' || stated.precision === 'date')))
    return refuse(pointer, 'invalid_format', 'at must be a date and time with an offset: 2026-04-15T08:00:00+02:00.');
  const valid = within(stated, { pointer, classifier: 'actual', nowMs }, refuse);
  if (valid === null) return null;
  const mistake = positionMistake({ lat, lng, at: valid.at }, nowMs);
  if (mistake !== null) return refuse('/vehicle/position', 'invalid_value', mistake);
  const named = vehicle === null ? null : namedVehicle(vehicle);
  return { lat, lng, at: valid.at, source: `client:${sourceName ?? ''}`, vehicle: named };
}
