import { describe, expect, test } from 'vitest';
import { connectors } from '#services/worker/carriers/registry.ts';
import { patienceMs } from '#test/support/until.ts';
import { equipmentEvent, subject, transportEvent } from './fake-carrier.ts';
import { carrierOf, only, readingOf } from './fetch-at.ts';

async function codeOf(raw: Record<string, unknown>): Promise<string> {
  return (await eventOf(raw)).code;
}

async function eventOf(raw: Record<string, unknown>) {
  const { context } = carrierOf(() => ({ body: [raw] }));
  const { events } = readingOf(
    await connectors.dcsa.fetch(context, [subject({ booking: 'B1' })], AbortSignal.timeout(patienceMs)),
  );
  return only(events);
}

/** Codes of DCSA's published lists (Information Model, reference data of Track & Trace 2.2, and 3.0 codes). */
describe('equipment', () => {
  test.each([
    ['LOAD', 'loaded'],
    ['LOADED', 'loaded'],
    ['DISC', 'discharged'],
    ['DISCHARGED', 'discharged'],
    ['STUF', 'stuffed'],
    ['STUFFED', 'stuffed'],
    ['AVPU', 'available_for_pickup'],
    ['AVAILABLE_FOR_PICKUP', 'available_for_pickup'],
    ['CUSS', 'customs_inspection'],
    ['CUSTOMS_SELECTED_FOR_SCAN', 'customs_inspection'],
    ['CUSI', 'customs_hold'],
    ['CUSTOMS_SELECTED_FOR_INSPECTION', 'customs_hold'],
    ['CUSR', 'customs_released'],
    ['CUSTOMS_RELEASED', 'customs_released'],
    ['WAYP', 'in_transit'],
    ['WAYPOINT', 'in_transit'],
    ['CROS', 'in_transit'],
    ['INSP', 'other'],
    ['RSEA', 'other'],
    ['RMVD', 'other'],
    ['AVDO', 'other'],
    ['NEVR', 'other'],
  ])('%s means %s', async (code, expected) => {
    expect(await codeOf(equipmentEvent(code))).toBe(expected);
  });

  test.each([
    ['RAIL', 'LOAD', 'rail_loaded'],
    ['RAIL', 'DISC', 'rail_unloaded'],
    ['TRUCK', 'LOAD', 'other'],
    ['BARGE', 'LOAD', 'loaded'],
    ['FEEDER', 'DISC', 'discharged'],
  ])('by %s, %s means %s', async (modeOfTransport, code, expected) => {
    expect(await codeOf(equipmentEvent(code, { transportCall: { modeOfTransport } }))).toBe(expected);
  });
});

test.each([
  ['VESSEL', 'ARRI', 'arrived'],
  ['VESSEL', 'DEPA', 'departed'],
  ['VESSEL', 'DEPARTED', 'departed'],
  ['BARGE', 'ARRI', 'arrived'],
  ['RAIL', 'ARRI', 'rail_arrived'],
  ['RAIL', 'DEPA', 'rail_departed'],
  ['TRUCK', 'ARRI', 'arrived_at_facility'],
  ['TRUCK', 'DEPA', 'departed_facility'],
  ['VESSEL', 'APPROACHING', 'other'],
])('by %s, %s means %s', async (modeOfTransport, code, expected) => {
  expect(await codeOf(transportEvent(code, { transportCall: { modeOfTransport, UNLocationCode: 'NLRTM' } }))).toBe(
    expected,
  );
});

test.each<[string, string, string]>([
  ['RECE', 'CBR', 'information_received'],
  ['REQS', 'CBR', 'information_received'],
  ['CONF', 'BKG', 'booking_confirmed'],
  ['CONF', 'CBR', 'booking_confirmed'],
  ['CANC', 'BKG', 'cancelled'],
  ['VOID', 'BKG', 'cancelled'],
  ['REJE', 'CBR', 'cancelled'],
  ['ISSU', 'TRD', 'document_issued'],
  ['SURR', 'TRD', 'document_issued'],
  ['RELS', 'TRD', 'document_issued'],
  ['HOLD', 'CUS', 'customs_hold'],
  ['RELS', 'CUS', 'customs_released'],
  ['CMPL', 'CUC', 'customs_released'],
  ['ISSU', 'ARN', 'other'],
  ['VOID', 'TRD', 'other'],
  ['REJE', 'SHI', 'other'],
  ...['DRFT', 'PENA', 'PENU', 'PENC', 'APPR', 'SUBM'].map((type): [string, string, string] => [type, 'SHI', 'other']),
])('maps the document event %s of %s to %s', async (shipmentEventTypeCode, documentTypeCode, expected) => {
  const document = {
    documentTypeCode,
    documentID: '1',
    eventDateTime: '2026-04-01T00:00:00Z',
    eventClassifierCode: 'ACT',
  };
  expect(await codeOf({ eventType: 'SHIPMENT', shipmentEventTypeCode, ...document })).toBe(expected);
});

/** `RELS` of a container release order also lets an empty container out of the depot: it says nothing of a hold. */
test.each([
  ['HOLD', 'DEO', [{ type: 'line', status: 'active' }]],
  ['RELS', 'DEO', [{ type: 'line', status: 'released' }]],
  ['HOLD', 'SRM', [{ type: 'line', status: 'active' }]],
  ['RELS', 'SRM', [{ type: 'line', status: 'released' }]],
  ['ISSU', 'DEO', undefined],
  ['RELS', 'CRO', undefined],
  ['RELS', 'TRD', undefined],
])('%s of %s states the holds %j', async (shipmentEventTypeCode, documentTypeCode, expected) => {
  const event = await eventOf({
    eventType: 'SHIPMENT',
    shipmentEventTypeCode,
    documentTypeCode,
    documentID: '1',
    eventDateTime: '2026-04-01T00:00:00Z',
    eventClassifierCode: 'ACT',
  });
  expect(event.details?.holds).toEqual(expected);
});

test.each([
  ['ON_HOLD', 'active'],
  ['RELEASED', 'released'],
])('%s of a delivery order in 3.0 states a hold of the line that is %s', async (shipmentEventType, status) => {
  const event = await eventOf({
    eventID: 'e1',
    eventDateTime: '2026-04-01T00:00:00Z',
    eventUpdatedDateTime: '2026-04-01T00:00:00Z',
    eventClassification: { eventType: 'SHIPMENT', eventClassifier: 'ACTUAL', shipmentEventType },
    shipmentDetails: { documentReference: { type: 'DELIVERY_ORDER', reference: '1' } },
  });
  expect(event.details?.holds).toEqual([{ type: 'line', status }]);
});
