import { connectors } from '#services/worker/carriers/registry.ts';
import { mergeReading } from '#shared/core/tracking/compose-refresh.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TrackingEvent } from '#shared/domain/events/event.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import type { Identifiers } from '#shared/domain/record/shipment.ts';
import { patienceMs } from '#test/support/until.ts';
import { openSimulatedCarrier } from './simulated-carrier.ts';

/** A carrier of the simulator and the numbers of its shipments. */
type Line = {
  connector: ConnectorCode;
  carrier: string;
  mode: TransportMode;
  identifiers: (index: number, digit: number) => Identifiers;
};

/** A shipment that was refreshed several times, as the simulator played it. */
export type Simulated = Omit<Line, 'identifiers'> & {
  identifiers: Identifiers;
  events: TrackingEvent[];
  nowMs: number;
};

const bill = (prefix: string) => (index: number, digit: number) => ({
  mbl: `${prefix}${String(70_000_003 + index * 7919)}${digit}`,
});
const ocean = (connector: ConnectorCode, carrier: string, prefix = carrier): Line => {
  return { connector, carrier, mode: 'ocean', identifiers: bill(prefix) };
};
const serial = (index: number) => String(7_000_003 + index * 7919);

const lines: readonly Line[] = [
  ocean('maersk', 'MAEU'),
  ocean('hapag-lloyd', 'HLCU'),
  ocean('cma-cgm', 'CMDU'),
  ocean('msc', 'MSCU', 'MEDU'),
  ocean('one', 'ONEY'),
  ocean('yang-ming', 'YMLU'),
  ocean('zim', 'ZIMU'),
  ocean('evergreen', 'EGLV'),
  ocean('hmm', 'HDMU'),
  {
    connector: 'one-record',
    carrier: 'QR',
    mode: 'air',
    identifiers: (index, digit) => ({ awb: `157${1_000_003 + index * 7919}${digit}` }),
  },
  {
    connector: 'lufthansa-cargo',
    carrier: 'LH',
    mode: 'air',
    identifiers: (index, digit) => ({ awb: `020${1_000_003 + index * 7919}${digit}` }),
  },
  {
    connector: 'nmfta-dsdc',
    carrier: 'ODFL',
    mode: 'road',
    identifiers: (index, digit) => ({ pro: `${50_003 + index * 7919}${digit}` }),
  },
  {
    connector: 'ups',
    carrier: 'ups',
    mode: 'parcel',
    identifiers: (index, digit) => ({ tracking_number: `1Z5R8939035${serial(index).slice(0, 6)}${digit}` }),
  },
  {
    connector: 'fedex',
    carrier: 'fedex',
    mode: 'parcel',
    identifiers: (index, digit) => ({ tracking_number: `7946${serial(index)}${digit}` }),
  },
  {
    connector: 'dhl',
    carrier: 'dhl',
    mode: 'parcel',
    identifiers: (index, digit) => ({ tracking_number: `12${serial(index)}${digit}` }),
  },
];

/** Refreshes of each shipment; the journeys of fast numbers (even last digit 2) take this many of them to end. */
const steps = 8;
const voyageS = 50;

/**
 * About `count` shipments of all connectors with a simulator, each refreshed up to a step of its own, so that every
 * stage of a journey is present.
 */
export async function simulatedFleet(count: number): Promise<Simulated[]> {
  const perLine = Math.ceil(count / lines.length);
  return (await Promise.all(lines.map((line) => playLine(line, perLine)))).flat();
}

async function playLine({ identifiers, ...line }: Line, count: number): Promise<Simulated[]> {
  const connector = connectors[line.connector];
  const { clock, carrier, close } = openSimulatedCarrier(connector, { seed: 'fleet', voyageS });
  const fleet: Simulated[] = Array.from({ length: count }, (_, index) => {
    return { ...line, identifiers: identifiers(index, 2), events: [], nowMs: clock.ms };
  }).filter((one) => !Object.values(one.identifiers).some((number) => number.includes('404')));
  for (let step = 0; step <= steps; step += 1) {
    for (const [index, one] of fleet.entries()) {
      if (step > index % (steps + 1)) continue;
      const subject = subjectOf(one, index, clock.ms);
      const result = (await connector.fetch(carrier, [subject], AbortSignal.timeout(patienceMs))).get(
        subject.shipmentId,
      );
      if (result?.outcome !== 'found') continue;
      one.events = mergeReading(one.events, result.reading, clock.ms).events;
      one.nowMs = clock.ms;
    }
    clock.ms += (voyageS * 1000 * 1.1) / steps;
  }
  await close();
  return fleet;
}

function subjectOf({ mode, carrier, identifiers, events }: Simulated, index: number, nowMs: number) {
  return {
    accountId: '018f0000-0000-7000-8000-000000000001',
    shipmentId: `018f0000-0000-7000-8000-${String(index).padStart(12, '0')}`,
    epoch: 1,
    transportMode: mode,
    carrier,
    identifiers,
    registrationTraceparent: null,
    refreshedBefore: events.length > 0,
    test: false,
    testSteps: 0,
    trackingSince: '2026-03-01T00:00:00.000Z',
    createdAt: '2026-03-01T00:00:00.000Z',
    clockOffsetMs: 0,
    journey: composeJourney({ events, transportMode: mode }, nowMs),
    polling: {
      state: 'active' as const,
      reason: null,
      consecutiveFailures: 0,
      readingHash: null,
      lastSucceededAt: null,
      lastChangedAt: null,
    },
  };
}
