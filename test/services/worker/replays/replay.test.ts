import { afterEach, describe, expect, it } from 'vitest';
import { connectors } from '#services/worker/carriers/registry.ts';
import { mergeReading } from '#shared/core/tracking/compose-refresh.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { TrackingEvent } from '#shared/domain/events/event.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import type { Journey, Status } from '#shared/domain/record/shipment.ts';
import { openSimulatedCarrier } from '#test/support/carriers/simulated-carrier.ts';
import { scaled } from '#test/support/run-scale.ts';
import { patienceMs } from '#test/support/until.ts';
import { subject } from '../carriers/dcsa/fake-carrier.ts';

const voyageS = 50;
const steps = scaled({ short: 20, full: 40 });
const dayMs = 86_400_000;
const advance: readonly Status[] = [
  'pending',
  'booked',
  'in_transit',
  'arrived',
  'available_for_pickup',
  'out_for_delivery',
  'delivered',
];

let close = async (): Promise<void> => undefined;
afterEach(() => close());

async function replay(
  connector: ConnectorCode,
  asked: { carrier: string; mbl: string; stepMs: number },
): Promise<Journey[]> {
  const { clock, carrier, close: end } = openSimulatedCarrier(connectors[connector], { seed: 'replay', voyageS });
  close = end;
  const one = subject({ mbl: asked.mbl }, asked.carrier);
  let stored: TrackingEvent[] = [];
  const journeys: Journey[] = [];
  for (let step = 0; step <= steps; step++) {
    const refresh = (await connectors[connector].fetch(carrier, [one], AbortSignal.timeout(patienceMs))).get(
      one.shipmentId,
    );
    if (refresh?.outcome !== 'found') throw new Error(`step ${step} of ${asked.mbl}: ${JSON.stringify(refresh)}`);
    expect(refresh.reading.unreadable).toEqual([]);
    stored = mergeReading(stored, refresh.reading, clock.ms).events;
    expect(mergeReading(stored, refresh.reading, clock.ms)).toMatchObject({ inserts: [], superseded: [] });
    journeys.push(composeJourney({ events: stored, transportMode: 'ocean' }, clock.ms));
    clock.ms += asked.stepMs;
  }
  await close();
  return journeys;
}

function faultsOf(journeys: readonly Journey[]): string[] {
  const faults: string[] = [];
  let before: Journey | null = null;
  for (const [step, journey] of journeys.entries()) {
    const fault = (text: string) => faults.push(`step ${step} (${journey.status}): ${text}`);
    if (before !== null && advance.indexOf(journey.status) < advance.indexOf(before.status))
      fault(`came after ${before.status}`);
    for (const container of journey.containers) {
      const old = before?.containers.find(({ number }) => number === container.number);
      if (old !== undefined && advance.indexOf(container.status) < advance.indexOf(old.status)) {
        fault(`${container.number} went from ${old.status} to ${container.status}`);
      }
    }
    if (journey.origin?.unlocode === undefined || journey.destination?.unlocode === undefined)
      fault('an end of the journey is missing');
    if (before !== null && journey.origin?.unlocode !== before.origin?.unlocode) fault('the origin changed');
    if (before !== null && journey.destination?.unlocode !== before.destination?.unlocode)
      fault('the destination changed');
    for (const [index, leg] of journey.legs.entries()) {
      const next = journey.legs[index + 1];
      if (leg.from === null || leg.to === null) fault(`leg ${leg.sequence} lacks an end`);
      if (next !== undefined && leg.to?.unlocode !== next.from?.unlocode)
        fault(`leg ${leg.sequence} does not reach the next one`);
      if (leg.departure.actual && leg.arrival.actual && leg.departure.actual.at > leg.arrival.actual.at)
        fault(`leg ${leg.sequence} arrives early`);
    }
    if (journey.status === 'in_transit' && (journey.arrival.estimated ?? journey.arrival.planned) === null)
      fault('no ETA');
    before = journey;
  }
  const last = journeys.at(-1);
  if (last?.status !== 'delivered') faults.push(`ended ${last?.status}`);
  if (last?.arrival.actual === null) faults.push('ended without an arrival');
  for (const { code, carrierCode, location, legRole, flags } of last?.events ?? []) {
    if (location !== null && legRole === 'unknown')
      faults.push(`${code} (${carrierCode}) at ${location.unlocode} has no role`);
    // The inspection or change of a seal is kept, but does not describe the cargo.
    if (
      code === 'other' &&
      !['INSP', 'RSEA'].includes(carrierCode ?? '') &&
      location !== null &&
      !flags.includes('superseded')
    )
      faults.push(`${carrierCode} at ${location.unlocode} is not recognized`);
  }
  return faults;
}

/** ZIM omits the place of some vessel arrivals, so they cannot be matched to a port. */
function isExcused(connector: ConnectorCode, fault: string): boolean {
  return connector === 'zim' && /no ETA|without an arrival/.test(fault);
}

const lines = [
  { connector: 'maersk', carrier: 'MAEU', prefix: 'MAEU' },
  { connector: 'hapag-lloyd', carrier: 'HLCU', prefix: 'HLCU' },
  { connector: 'dcsa', carrier: 'MSCU', prefix: 'MEDU' },
  { connector: 'cma-cgm', carrier: 'CMDU', prefix: 'CMDU' },
  { connector: 'msc', carrier: 'MSCU', prefix: 'MEDU' },
  { connector: 'one', carrier: 'ONEY', prefix: 'ONEY' },
  { connector: 'yang-ming', carrier: 'YMLU', prefix: 'YMLU' },
  { connector: 'zim', carrier: 'ZIMU', prefix: 'ZIMU' },
  { connector: 'evergreen', carrier: 'EGLV', prefix: 'EGLV' },
  { connector: 'hmm', carrier: 'HDMU', prefix: 'HDMU' },
] as const;

const clocks = [
  { speed: 'fast', lastDigit: 2, stepMs: (voyageS * 1000 * 1.1) / steps },
  { speed: 'real-time', lastDigit: 7, stepMs: 3 * dayMs },
] as const;

/** The first ten voyages of one line meet every scenario of the twenty; the other lines read the same voyages. */
function voyagesOf(connector: ConnectorCode, speed: (typeof clocks)[number]['speed']): number {
  return scaled({ short: connector === 'maersk' && speed === 'fast' ? 10 : 1, full: 20 });
}

describe.each(lines)('voyages of $connector, refreshed step by step', ({ connector, carrier, prefix }) => {
  it.each(clocks)('only advance and end delivered: $speed', async ({ speed, lastDigit, stepMs }) => {
    const voyages = voyagesOf(connector, speed);
    const found: Record<string, string[]> = {};
    for (let index = 0; index < voyages; index++) {
      const mbl = `${prefix}${String(70_000_003 + index * 7919)}${lastDigit}`;
      const faults = faultsOf(await replay(connector, { carrier, mbl, stepMs })).filter(
        (fault) => !isExcused(connector, fault),
      );
      if (faults.length > 0) found[mbl] = faults;
    }
    expect(found).toEqual({});
  });
});
