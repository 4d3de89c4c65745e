import { describe, expect, it } from 'vitest';
import { connectors } from '#services/worker/carriers/registry.ts';
import type { ConnectorCode } from '#shared/domain/carriers/carrier-catalogue.ts';
import { connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import { countUnreadable } from '#shared/domain/events/unreadable.ts';
import { cannedCarrier, fetchFor } from './canned-carrier.ts';
import { shipments } from './contract-carrier.ts';
import { subject } from './dcsa/fake-carrier.ts';

/** The carrier's response whose list of events is something else. */
const bodyWith: Partial<Record<ConnectorCode, (events: unknown) => unknown>> = {
  'lufthansa-cargo': (events) => ({
    shipmentTrackingStatus: { booking: { origin: 'FRA', destination: 'JFK' }, events },
  }),
  'one-record': (events) => ({ hasItem: events }),
  'nmfta-dsdc': (events) => ({ data: events, page: 1, totalPages: 1 }),
  dhl: (events) => ({ shipments: [{ id: shipments.dhl.number, events }] }),
  fedex: (events) => ({
    output: {
      completeTrackResults: [{ trackingNumber: shipments.fedex.number, trackResults: [{ scanEvents: events }] }],
    },
  }),
  ups: (events) => ({
    trackResponse: { shipment: [{ package: [{ trackingNumber: shipments.ups.number, activity: events }] }] },
  }),
  cosco: (events) => ({ code: 0, data: { type: 'bl', numberType: 'both', content: { containerStatus: events } } }),
  gls: (events) => ({ parcels: [{ requested: shipments.gls.number, unitno: shipments.gls.number, events }] }),
  usps: (events) => ({ statusCategory: 'In Transit', trackingEvents: events }),
  hmm: (events) => ({ equipmentEvent: events, shipmentEvent: null, transportEvent: null }),
};
const dcsaBody = (events: unknown) => ({ events });

const noLists: unknown[] = [null, 'none', 7, true, { note: 'moved' }, { 0: { eventType: 'X' } }];

function subjectOf(code: ConnectorCode) {
  const { carrier, mode, identifiers } = shipments[code];
  return {
    ...subject(identifiers, carrier),
    transportMode: mode,
    createdAt: '2026-04-01T00:00:00Z',
    journey: { events: [] } as never,
    polling: { readingHash: null, answerHash: null, reason: null, lastSucceededAt: null } as never,
  };
}

describe.each(connectorCodes)('%s', (code) => {
  it.each(noLists)('does not treat %j as an empty list', async (events) => {
    const body = (bodyWith[code] ?? dcsaBody)(events);
    const { ctx } = cannedCarrier(() => ({ body }), {
      ...(connectors[code].simulated.authPath === null ? { authUrl: null } : {}),
    });
    const result = await fetchFor(connectors[code], ctx, subjectOf(code));
    if (result.outcome === 'found') {
      expect(result.reading.events).toEqual([]);
      expect(countUnreadable(result.reading.unreadable)?.count).toBeGreaterThan(0);
    } else expect(result).toMatchObject({ outcome: 'error', reason: 'unrecognized_response' });
  });
});
