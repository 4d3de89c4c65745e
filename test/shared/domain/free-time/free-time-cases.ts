import type { CarrierTime, EventCode, Place, TrackingEvent } from '#shared/domain/events/event.ts';
import type { ClockKind, ManualFreeDay } from '#shared/domain/events/stated-free-time.ts';
import { shownFreeTime } from '#shared/domain/free-time/shown-free-time.ts';
import type { FreeTimeRules, FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import type { Clock } from '#shared/domain/record/free-time.ts';
import type { Journey } from '#shared/domain/record/shipment.ts';
import { trackingEvent } from '../journey/journey-events.ts';

export const box = 'MSKU1234565';

/** Time zones of the terminals. */
const zones = {
  NLRTM: 'Europe/Amsterdam',
  DEHAM: 'Europe/Berlin',
  GBFXT: 'Europe/London',
  USLAX: 'America/Los_Angeles',
  USNYC: 'America/New_York',
  USCHI: 'America/Chicago',
  BRSSZ: 'America/Sao_Paulo',
  SADMM: 'Asia/Riyadh',
  AEJEA: 'Asia/Dubai',
  INNSA: 'Asia/Kolkata',
  CNSHA: 'Asia/Shanghai',
  JPTYO: 'Asia/Tokyo',
  NZAKL: 'Pacific/Auckland',
} as const;
export type Port = keyof typeof zones;

export type Sketch = Partial<
  Pick<TrackingEvent, 'id' | 'container' | 'details' | 'legRole' | 'receivedAt' | 'voidedAt'>
> & {
  code: EventCode;
  /** ISO UTC, or a date. */
  at: string;
  port?: Port | null;
  isoType?: string;
};

/** An event at the port of discharge, unless it says otherwise. */
export function eventAt({ code, at, port = 'NLRTM', ...sketch }: Sketch, id: string): TrackingEvent {
  const zone = port === null ? null : zones[port];
  return {
    ...trackingEvent({
      hour: 0,
      code,
      id,
      container: box,
      legRole: 'pod',
      receivedAt: '2026-04-08T00:00:00.000Z',
      ...sketch,
    }),
    time: timeAt(at, zone),
    location: port === null ? null : placeOf(port),
  };
}

export function placeOf(port: Port): Place {
  const [unlocode, country, timezone] = [port, port.slice(0, 2), zones[port]];
  return { name: port, unlocode, iata: null, country, lat: null, lng: null, timezone, facility: null };
}

/** By the formatter of the runtime, so that the cases don't depend on the code that they evaluate. */
export function wallClock(at: string | number, zone: string): string {
  return new Date(at).toLocaleString('sv-SE', { timeZone: zone }).replace(' ', 'T').slice(0, 16);
}

function timeAt(at: string, zone: string | null): CarrierTime {
  if (at.length === 10)
    return { at: `${at}T12:00:00.000Z`, local: at, timezone: zone, zoneSource: 'location', precision: 'date' };
  const instant = new Date(at).toISOString();
  const local = zone === null ? instant.slice(0, 16) : wallClock(at, zone);
  return {
    at: instant,
    local,
    timezone: zone,
    zoneSource: zone === null ? 'assumed_utc' : 'location',
    precision: 'minute',
  };
}

/** Five days from the day after discharge, then 100 USD a day. */
export const plainTerm: FreeTimeTerm = {
  kind: 'demurrage',
  carrier: null,
  place: null,
  country: null,
  equipment: null,
  freeDays: 5,
  startEvent: 'discharged',
  firstDay: 'next_day',
  counting: 'calendar',
  chargedDays: 'calendar',
  calendarCountry: null,
  rates: [{ fromDay: 1, amount: 100 }],
  currency: 'USD',
  validFrom: null,
  validTo: null,
};

export type Case = {
  events: readonly Sketch[];
  terms?: readonly Partial<FreeTimeTerm>[];
  manual?: readonly Omit<ManualFreeDay, 'container'>[];
  now: string;
  isTrackingEnded?: boolean;
};

/** The journey of a case of carrier MAEU. */
export function journeyOf(
  { events, terms = [], manual = [], now, isTrackingEnded = false }: Case,
  isWorkingDay: FreeTimeRules['isWorkingDay'],
): Journey {
  return composeJourney(
    {
      events: events.map((sketch, index) => eventAt(sketch, sketch.id ?? `e${index}`)),
      transportMode: 'ocean',
      freeTime: {
        carrier: 'MAEU',
        rules: { terms: terms.map((term) => ({ ...plainTerm, ...term })), isWorkingDay, nearDays: 2 },
        manual: manual.map((day) => ({ container: box, ...day })),
        isTrackingEnded,
      },
    },
    Date.parse(now),
  );
}

/** State, last free day, days left and cost of each clock. `port`: at a port that the container left for a ramp. */
export type ClockWords = { [kind in ClockKind | 'port']?: string };

/** The clocks of a case, in words. */
export function clocksOf(given: Case, isWorkingDay: FreeTimeRules['isWorkingDay']): ClockWords {
  const clocks = journeyOf(given, isWorkingDay).containers.flatMap((container) => shownFreeTime(container).clocks);
  return Object.fromEntries(
    clocks.map((clock, place) => [
      clocks.slice(place + 1).some(({ kind }) => kind === clock.kind) ? 'port' : clock.kind,
      clockWords(clock),
    ]),
  );
}

/** `over 04-13 -1 100 USD`: state, last free day, days left and cost, `-` for null. A floor ends with `+`. */
export function clockWords({ state, lastFreeDay, daysLeft, cost }: Omit<Clock, 'kind'>): string {
  const amount = cost === null ? '-' : `${cost.amount} ${cost.currency}${cost.isFloor ? '+' : ''}`;
  return [state, lastFreeDay?.slice(5) ?? '-', daysLeft ?? '-', amount].join(' ');
}
