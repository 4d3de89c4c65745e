import type { DetailsResult } from '#shared/contract/mcp/details-result.ts';
import type { WireLeg, WireTimes } from '../../api/wire.ts';
import { type Points, placeOf, timeOf } from '../result-texts.ts';

export type Texts = { planned?: string | undefined; estimated?: string | undefined; actual?: string | undefined };

export function timesOf(texts: Texts | undefined): WireTimes {
  return { planned: timeOf(texts?.planned), estimated: timeOf(texts?.estimated), actual: timeOf(texts?.actual) };
}

type ResultLeg = DetailsResult['legs'][number];

/** The leg under way, and those before and after it, of a result without legs: hosts may not pass `_meta` on. */
export function voyageLegs({
  under_way: way,
  origin,
  destination,
  departure,
  arrival,
  transport_mode,
}: DetailsResult): ResultLeg[] {
  if (way?.left === undefined || way.next === undefined) return [];
  const { left, next, left_at: leftAt, next_eta: nextEta, vehicle, voyage } = way;
  const noTimes = { planned: undefined, estimated: undefined, actual: undefined };
  const none = { mode: transport_mode, vehicle: undefined, voyage: undefined, departure: noTimes, arrival: noTimes };
  return [
    ...(origin === undefined || origin === left
      ? []
      : [{ ...none, from: origin, to: left, departure: departure ?? noTimes }]),
    {
      ...none,
      ...{ from: left, to: next, vehicle, voyage },
      departure: { ...noTimes, actual: leftAt },
      arrival: { ...noTimes, estimated: nextEta },
    },
    ...(destination === undefined || destination === next
      ? []
      : [{ ...none, from: next, to: destination, arrival: arrival ?? noTimes }]),
  ];
}

export function legOf(leg: DetailsResult['legs'][number], index: number, points: Points): WireLeg {
  const { vehicle = null, voyage = null } = leg;
  return {
    sequence: index + 1,
    mode: leg.mode ?? '',
    from: placeOf(leg.from, points),
    to: placeOf(leg.to, points),
    vehicle: vehicle === null && voyage === null ? null : vehicleOf(vehicle, voyage, leg.mode),
    departure: timesOf(leg.departure),
    arrival: timesOf(leg.arrival),
    delay_hours: null,
    delay_basis: null,
  };
}

/** A result has one name for a vessel and a flight. */
export function vehicleOf(name: string | null, voyage: string | null, mode?: string) {
  return mode === 'air' ? { name: null, imo: null, voyage, flight: name } : { name, imo: null, voyage, flight: null };
}
