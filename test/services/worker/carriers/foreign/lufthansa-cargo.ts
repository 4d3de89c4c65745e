import type { ForeignCarrier } from './foreign-payload.ts';

const booking = {
  origin: 'FRA',
  destination: 'GRU',
  totals: { noOfPieces: '4', weight: { amount: '310', unit: 'KG' } },
};
const flight = (flightNumber: string | number) => ({ flightCarrierCode: 'LH', flightNumber, flightDate: '2026-03-11' });

export const lufthansaCargoPayloads: ForeignCarrier = {
  connector: 'lufthansa-cargo',
  carrier: 'LH',
  mode: 'air',
  identifiers: { awb: '020-41227761' },
  payloads: [
    {
      name: 'milestones with events, single objects where there is one, flight numbers as numbers',
      from: 'developer.lufthansa-cargo.com Shipment Tracking example',
      answer: {
        body: {
          shipmentTrackingStatus: {
            shipment: { shipmentId: { carrierNumericCode: 20, aWBNumber: 41227761 } },
            booking,
            milestonePlan: {
              milestones: {
                milestone: [
                  {
                    type: 'RCS',
                    station: 'FRA',
                    plannedTime: '2026-03-10T09:00:00Z',
                    events: { event: { type: 'RCS', station: 'FRA', actualTime: '2026-03-10T08:41:00Z' } },
                  },
                  {
                    type: 'DEP',
                    station: 'FRA',
                    flight: flight(8264),
                    plannedTime: '2026-03-11T20:00:00Z',
                    events: { event: [{ type: 'DEP', station: 'FRA', actualTime: '2026-03-11T20:22:00Z' }] },
                  },
                  { type: 'ARR', station: 'GRU', flight: flight(8264), plannedTime: '2026-03-12T08:05:00Z' },
                ],
              },
            },
          },
        },
      },
      expected: {
        status: 'in_transit',
        last: 'departed 2026-03-11T21:22:00 FRA',
        at: '2026-03-11T20:22:00.000Z',
        eta: '2026-03-12T05:05:00',
        origin: 'FRA',
        destination: 'GRU',
        codes: ['received_from_shipper', 'departed'],
      },
    },
    {
      name: 'the older release without a wrapper, lower-case codes, an unknown event type',
      from: 'the same portal, older example',
      answer: {
        body: {
          booking,
          events: {
            event: [
              { type: 'xyz', station: 'fra', actualTime: '2026-03-10T10:00:00Z' },
              { type: 'rcf', station: 'gru', actualTime: '2026-03-12T11:10:00Z', flight: flight('08264') },
              { type: 'nfd', station: 'gru', actualTime: '2026-03-12T12:00:00Z' },
            ],
          },
        },
      },
      expected: {
        status: 'available_for_pickup',
        last: 'consignee_notified 2026-03-12T09:00:00 GRU',
        codes: ['other', 'received_from_flight', 'consignee_notified'],
        origin: 'FRA',
        destination: 'GRU',
      },
    },
    {
      name: 'a discrepancy',
      from: 'IATA Cargo-IMP FSU/DIS wording',
      answer: {
        body: {
          shipmentTrackingStatus: {
            booking,
            events: {
              event: {
                type: 'DIS',
                classifier: 'OFLD',
                station: 'FRA',
                actualTime: '2026-03-11T21:00:00Z',
                actualTotals: { noOfPieces: '4' },
              },
            },
          },
        },
      },
      expected: { status: 'pending', last: 'exception 2026-03-11T22:00:00 FRA', exceptions: ['rolled'] },
    },
    {
      name: 'booked only, with origin and destination stated',
      from: 'the same portal',
      answer: {
        body: {
          shipmentTrackingStatus: {
            booking,
            events: { event: [{ type: 'BKD', station: 'FRA', actualTime: '2026-03-09T12:00:00Z' }] },
          },
        },
      },
      expected: {
        status: 'booked',
        last: 'booking_confirmed 2026-03-09T13:00:00 FRA',
        origin: 'FRA',
        destination: 'GRU',
      },
    },
  ],
};
