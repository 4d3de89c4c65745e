import type { CarrierContext, CarrierFetch } from '#services/worker/carriers/carrier.ts';
import { createTokenCache } from '#services/worker/carriers/oauth-sign-in.ts';
import { connectors } from '#services/worker/carriers/registry.ts';
import { applyReading } from '#shared/core/tracking/compose-refresh.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { ReadEvent, Reading } from '#shared/domain/events/event.ts';
import { placeKey } from '#shared/domain/events/place-key.ts';
import { noFreeTimeRules } from '#shared/domain/free-time/terms.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import type { Journey, Shipment } from '#shared/domain/record/shipment.ts';
import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { createBudget } from '#test/support/carriers/local-budget.ts';
import { patienceMs } from '#test/support/until.ts';

/** A change of an answer's body. */
export type Vary = (body: unknown) => unknown;

/** An answer of a carrier, or the answers that one refresh needs. */
export type Fixture = {
  connector: ConnectorCode;
  name: string;
  subject: RefreshSubject;
  settings: CarrierContext['settings'];
  fetch: CarrierFetch;
  nowMs: number;
};

/** The result of one refresh. */
export type Outcome = {
  outcome: string;
  journey: Journey;
  reading: Reading;
};

/** The record that the connector and the composition make of a fixture whose bodies are varied. */
export async function readVaried(fixture: Fixture, vary: Vary): Promise<Outcome> {
  const { connector, subject, settings, nowMs } = fixture;
  const now = () => new Date(nowMs);
  const context: CarrierContext = {
    // DHL's calls with the same settings wait for each other.
    settings: { ...settings },
    fetch: async (url, request) => {
      const answer = await fixture.fetch(url, request);
      const isJson = answer.status < 300 && /^\s*[[{]/.test(answer.text) && !answer.text.includes('"access_token"');
      return isJson ? { ...answer, text: JSON.stringify(vary(JSON.parse(answer.text))) } : answer;
    },
    budget: createBudget({ calls: 1000, perMs: 1, burst: 5000 }, now),
    tokens: createTokenCache(now),
    now,
  };
  const results = await connectors[connector].fetch(context, [subject], AbortSignal.timeout(patienceMs));
  const result = results.get(subject.shipmentId);
  if (result?.outcome === 'error' && result.reason === 'internal_error')
    throw new Error(`the reader of ${connector} failed: ${result.detail}`);
  const reading: Reading =
    result?.outcome === 'found' ? result.reading : { events: [], unreadable: [], source: 'none' };
  const { transportMode, identifiers } = subject;
  const shipment = {
    transportMode,
    identifiers,
    journey: composeJourney({ events: [], transportMode }, nowMs),
  } as Shipment;
  const applied = applyReading(shipment, [], { read: reading, nowMs, rules: noFreeTimeRules });
  return { outcome: result?.outcome ?? 'none', journey: applied.journey, reading };
}

/** All that the record says, as texts that can be compared. */
export function factsOf({ outcome, journey, reading }: Outcome): Record<string, unknown> {
  const { departure, arrival, delivery, eta, exceptions, containers, pieces } = journey;
  return {
    outcome,
    status: journey.status,
    detail: journey.statusDetail,
    origin: placeKey(journey.origin),
    destination: placeKey(journey.destination),
    departure: [departure.planned?.local, departure.estimated?.local, departure.actual?.at],
    arrival: [arrival.planned?.local, arrival.estimated?.local, arrival.actual?.at],
    delivery: [delivery.planned?.local, delivery.estimated?.local, delivery.actual?.at],
    receivedBy: delivery.receivedBy,
    eta: eta?.time.local,
    events: journey.events
      .filter(({ flags }) => flags.length === 0)
      .map(lineOf)
      .sort(),
    exceptions: exceptions.map(({ code, resolvedAt }) => `${code} ${resolvedAt ?? 'open'}`).sort(),
    containers: containers.map(({ number, status }) => `${number} ${status}`).sort(),
    pieces: pieces.map(({ trackingNumber, status }) => `${trackingNumber} ${status}`).sort(),
    service: journey.service,
    weightKg: journey.weightKg,
    piecesCount: journey.piecesCount,
    unreadable: reading.unreadable.map(({ reason }) => reason).sort(),
  };
}

/** An event in one line. */
export function lineOf({ classifier, code, time, location, container, legRole }: Omit<ReadEvent, 'raw'>): string {
  return `${classifier} ${code} ${time.local} ${time.at} ${placeKey(location) ?? '-'} ${container ?? '-'} ${legRole}`;
}

/** The facts in which two records differ, with both values. `but`: these may differ. */
export function differences(before: Outcome, after: Outcome, but: readonly string[] = []): string[] {
  const [left, right] = [factsOf(before), factsOf(after)];
  return Object.keys(left)
    .filter((name) => !but.includes(name) && JSON.stringify(left[name]) !== JSON.stringify(right[name]))
    .map((name) => `${name}: ${shownChange(left[name], right[name])}`);
}

function shownChange(left: unknown, right: unknown): string {
  if (!Array.isArray(left) || !Array.isArray(right)) return `${JSON.stringify(left)} → ${JSON.stringify(right)}`;
  const [lost, added] = [left.filter((each) => !right.includes(each)), right.filter((each) => !left.includes(each))];
  return `−${JSON.stringify(lost)} +${JSON.stringify(added)}`;
}
