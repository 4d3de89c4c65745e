import type { ForeignCarrier } from './foreign-payload.ts';

type Fields = Record<string, unknown>;
const shipment = (more: Fields = {}): Fields => ({
  shipmentId: 'PRO7712034',
  references: [{ type: 'BOL', value: 'BOL-99-11' }],
  origin: { locationId: 'T-ALB', city: 'Albany', state: 'NY', country: 'USA' },
  destination: { locationId: 'T-DSM', city: 'Des Moines', state: 'IA', country: 'USA' },
  ...more,
});
const page = (...data: Fields[]) => ({
  body: { data, page: '1', pageSize: '500', totalPages: '1', totalCount: data.length },
});

export const nmftaDsdcPayloads: ForeignCarrier = {
  connector: 'nmfta-dsdc',
  carrier: 'EXLA',
  mode: 'road',
  identifiers: { pro: 'PRO7712034' },
  payloads: [
    {
      name: 'picked up, with numbers as text and lower-case types',
      from: 'dsdcapis/full-truckload in-transit visibility examples',
      answer: page({
        eventId: 'e-1',
        type: 'picked_up',
        occurredAt: '2026-03-03T14:00:00-05:00',
        sequence: '1',
        shipment: shipment(),
        location: { city: 'Albany', state: 'NY', country: 'usa', latitude: '42.65', longitude: '-73.75' },
      }),
      expected: {
        status: 'in_transit',
        last: 'picked_up 2026-03-03T14:00:00 Albany, NY',
        at: '2026-03-03T19:00:00.000Z',
        origin: 'Albany, NY',
        destination: 'Des Moines, IA',
      },
    },
    {
      name: 'an unknown type, kept with its words, and planned days',
      from: 'dsdcapis/full-truckload',
      answer: page(
        {
          eventId: 'e-1',
          type: 'PICKED_UP',
          occurredAt: '2026-03-03T14:00:00-05:00',
          sequence: 1,
          shipment: shipment({ startDate: '2026-03-03', endDate: '2026-03-06' }),
          location: { city: 'Albany', state: 'NY', country: 'USA' },
        },
        {
          eventId: 'e-2',
          type: 'REEFER_ALARM',
          occurredAt: '2026-03-04T02:00:00Z',
          sequence: 2,
          shipment: shipment({ startDate: '2026-03-03', endDate: '2026-03-06' }),
          notes: 'Door open',
          location: null,
        },
      ),
      expected: {
        status: 'in_transit',
        last: 'other 2026-03-04T02:00:00 -',
        eta: '2026-03-06',
        origin: 'Albany, NY',
        destination: 'Des Moines, IA',
      },
    },
    {
      name: 'a proof of delivery without a delivery, and a time without an offset',
      from: 'dsdcapis/full-truckload',
      answer: page({
        eventId: 'e-9',
        type: 'PROOF_OF_DELIVERY',
        occurredAt: '2026-03-06T10:15:00',
        shipment: shipment(),
        location: { city: 'Des Moines', state: 'IA', country: 'US' },
      }),
      expected: {
        status: 'delivered',
        last: 'delivered 2026-03-06T10:15:00 Des Moines, IA',
        destination: 'Des Moines, IA',
      },
    },
    {
      name: 'another shipment’s event and one without a type',
      from: 'dsdcapis/full-truckload',
      answer: page(
        { eventId: 'a', type: 'DELIVERED', occurredAt: '2026-03-05T10:00:00Z', shipment: { shipmentId: 'PRO1' } },
        { eventId: 'b', occurredAt: '2026-03-05T10:00:00Z', shipment: shipment() },
        {
          eventId: 'c',
          type: 'DELAY',
          occurredAt: '2026-03-05T11:00:00Z',
          shipment: shipment(),
          attributes: { reasonCode: 'WEA', reasonText: 'Snow storm' },
        },
      ),
      expected: { status: 'pending', last: 'delayed 2026-03-05T11:00:00 -', unreadable: 1, exceptions: ['weather'] },
    },
  ],
};
