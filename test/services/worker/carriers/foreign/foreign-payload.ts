import { connectors } from '#services/worker/carriers/registry.ts';
import { applyReading } from '#shared/core/tracking/compose-refresh.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { Place } from '#shared/domain/events/event.ts';
import { isLive } from '#shared/domain/events/event-order.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { noFreeTimeRules } from '#shared/domain/free-time/terms.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import type { FetchResult, Identifiers, Shipment } from '#shared/domain/record/shipment.ts';
import { patienceMs } from '#test/support/until.ts';
import { type CannedAnswer, type CannedRequest, cannedCarrier, cannedNow } from '../canned-carrier.ts';
import { freightSubject } from '../freight/simulated-carrier.ts';

/**
 * Record that a person would write from the payload. `last` is the latest event: code, local time and place (`-`:
 * none). `eta` is the local time of the expected delivery or arrival. `events` counts the current events, and
 * `exceptions` are the open ones. Absent: not evaluated.
 */
export type ForeignRecord = {
  status: string;
  last: string;
  at?: string;
  eta?: string | null;
  origin?: string | null;
  destination?: string | null;
  events?: number;
  codes?: string[];
  exceptions?: string[];
  unreadable?: number;
};

/** A payload in the shape of a public one, with invented numbers and places. `from` names where the shape was seen. */
export type ForeignPayload = {
  name: string;
  from: string;
  identifiers?: Identifiers;
  answer: CannedAnswer | ((asked: CannedRequest) => CannedAnswer);
  expected: ForeignRecord | { outcome: 'not_found' };
};

export type ForeignCarrier = {
  connector: ConnectorCode;
  carrier: string;
  mode: TransportMode;
  identifiers: Identifiers;
  payloads: readonly ForeignPayload[];
};

/** The record that the real connector and the real composition make of a payload. */
export async function readForeign(
  { connector, carrier, mode, identifiers }: Omit<ForeignCarrier, 'payloads'>,
  payload: Pick<ForeignPayload, 'identifiers' | 'answer'>,
): Promise<ForeignRecord | { outcome: FetchResult['outcome']; detail?: string }> {
  const { answer } = payload;
  const { ctx } = cannedCarrier((asked) => (typeof answer === 'function' ? answer(asked) : answer));
  const subject = freightSubject(mode, payload.identifiers ?? identifiers, { carrier });
  const result = (await connectors[connector].fetch(ctx, [subject], AbortSignal.timeout(patienceMs))).get(
    subject.shipmentId,
  );
  if (result?.outcome !== 'found')
    return { outcome: result?.outcome ?? 'error', ...(result?.outcome === 'error' ? { detail: result.detail } : {}) };
  const nowMs = cannedNow.getTime();
  const shipment = {
    transportMode: mode,
    identifiers: subject.identifiers,
    journey: composeJourney({ events: [], transportMode: mode }, nowMs),
  } as Shipment;
  const { journey, events } = applyReading(shipment, [], { read: result.reading, nowMs, rules: noFreeTimeRules });
  const label = (place: Place | null): string | null =>
    mode === 'ocean'
      ? (place?.unlocode ?? place?.name ?? null)
      : (place?.iata ?? place?.name ?? place?.country ?? null);
  const last = journey.events.find(({ classifier, flags }) => classifier === 'actual' && flags.length === 0);
  const expected = journey.eta?.time ?? null;
  const live = events.filter(isLive);
  const isOver = journey.arrival.actual !== null || journey.delivery.actual !== null;
  return {
    status: journey.status,
    last: last === undefined ? '-' : `${last.code} ${last.time.local} ${label(last.location) ?? '-'}`,
    ...(last === undefined ? {} : { at: last.time.at }),
    eta: isOver ? null : (expected?.local ?? null),
    origin: label(journey.origin),
    destination: label(journey.destination),
    events: live.length,
    codes: live
      .filter(({ classifier }) => classifier === 'actual')
      .sort((left, right) => left.time.at.localeCompare(right.time.at))
      .map(({ code }) => code),
    exceptions: journey.exceptions.filter(({ resolvedAt }) => resolvedAt === null).map(({ code }) => code),
    unreadable: result.reading.unreadable.length,
  };
}
