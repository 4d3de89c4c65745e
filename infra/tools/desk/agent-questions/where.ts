import { expect } from 'vitest';
import { expectShipments, isPlace } from '../facts.ts';
import { shownAt } from '../portfolio/moments.ts';
import { details, list, nextPage, type Question, recordOf } from '../question.ts';

export const whereQuestions: Question[] = [
  {
    ask: 'Where is HLCUSHA2605001 now, and why do you say so?',
    ways: [
      [details({ identifier: 'HLCUSHA2605001' })],
      [details({ bol: 'HLCU SHA2605001', response_format: 'concise' })],
    ],
    check: (answers) =>
      expect(recordOf(answers)).toMatchObject({
        status: 'arrived',
        current_location: isPlace('BEANR'),
        status_evidence: { code: 'arrived', at: shownAt(-30), place: isPlace('BEANR') },
        tracking: { source: 'simulator:portfolio', freshness: 'fresh' },
        data_as_of: expect.any(String),
      }),
  },
  {
    ask: 'What is the next port of ONEYSGN77001, and when is it due there?',
    ways: [
      [details({ bol: 'ONEYSGN77001', response_format: 'detailed' })],
      [details({ identifier: 'ONEYSGN77001', carrier: 'ONE', response_format: 'detailed' })],
    ],
    check: (answers) => {
      const record = recordOf(answers);
      expect(record.legs).toMatchObject([
        {
          from: isPlace('VNSGN'),
          to: isPlace('SGSIN'),
          vehicle: 'Kestrel Strait',
          departure: { actual: shownAt(-50) },
          arrival: { estimated: shownAt(12) },
        },
        {
          from: isPlace('SGSIN'),
          to: isPlace('DEHAM'),
          vehicle: 'Northern Gannet',
          departure: { estimated: shownAt(60) },
          arrival: { estimated: shownAt(620) },
        },
      ]);
      const next = record.legs.find((leg: { arrival?: { actual?: string } }) => leg.arrival?.actual === undefined);
      expect([next.to, next.arrival.estimated]).toEqual([isPlace('SGSIN'), shownAt(12)]);
    },
  },
  {
    ask: 'Is MAEU260001090 on the train yet, and when does it reach Chicago?',
    ways: [[details({ identifier: 'MAEU260001090', response_format: 'detailed' })]],
    check: (answers) => {
      const record = recordOf(answers);
      expect(record).toMatchObject({
        status: 'in_transit',
        status_evidence: { code: 'rail_loaded', at: shownAt(-44) },
      });
      expect(record.legs.at(-1)).toMatchObject({
        mode: 'rail',
        from: isPlace('USLAX'),
        to: isPlace('USCHI'),
        departure: { actual: shownAt(-30) },
        arrival: { estimated: shownAt(20) },
      });
    },
  },
  {
    ask: 'What is on the vessel Northern Gannet?',
    ways: [[list({ query: 'Northern Gannet' })], [list({ query: 'northern gannet', transport_mode: ['ocean'] })]],
    check: (answers, mine) => expectShipments(answers, [mine.named('via-singapore')]),
  },
  {
    ask: 'Which shipments are under way on the Cedar Bay right now?',
    ways: [[list({ query: 'Cedar Bay', status: ['in_transit'], limit: 50 })]],
    check: (answers, mine) =>
      expectShipments(
        answers,
        mine.where(({ truth }) => truth.status === 'in_transit' && truth.vessels.includes('Cedar Bay')),
      ),
  },
  {
    ask: 'Compare MAEU260001001 and MAEU260001002: which reaches Rotterdam first?',
    ways: [
      [details({ identifier: 'MAEU260001001' }), details({ identifier: 'MAEU260001002' })],
      [details({ bol: '260001001', carrier: 'MAEU' }), details({ bol: '260001002', carrier: 'MAEU' })],
    ],
    check: (answers) => {
      const [first, second] = [recordOf(answers, 0), recordOf(answers, 1)];
      expect([first.arrival.estimated, second.arrival.estimated]).toEqual([shownAt(100), shownAt(40)]);
      expect([first.destination, second.destination]).toEqual([isPlace('NLRTM'), isPlace('NLRTM')]);
      expect([first.delay_hours, second.delay_hours]).toEqual([72, 0]);
    },
  },
  {
    ask: 'What is the full history of the Hong Kong to Frankfurt air waybill on PO-8004?',
    ways: [
      [
        list({ reference: 'PO-8004' }),
        ([found]) => details({ shipment_id: found?.content.shipments[0]?.shipment_id, response_format: 'detailed' }),
      ],
    ],
    check: (answers) =>
      expect(
        recordOf(answers, 1).events.filter((event: { classifier?: string }) => event.classifier === undefined),
      ).toMatchObject([
        { code: 'consignee_notified', at: shownAt(-28), place: isPlace('FRA') },
        { code: 'received_from_flight', at: shownAt(-35) },
        { code: 'arrived', at: shownAt(-37) },
        { code: 'departed', at: shownAt(-50), place: isPlace('HKG'), vehicle: 'LH8401' },
        { code: 'received_from_shipper', at: shownAt(-59) },
      ]),
  },
  {
    ask: 'Which shipments come from Vietnam to Germany by sea and are under way?',
    ways: [
      [list({ origin: 'VN', destination: 'DE', transport_mode: ['ocean'], status: ['in_transit'], limit: 50 })],
      [
        list({
          origin: 'Vietnam',
          destination: 'Germany',
          transport_mode: ['ocean'],
          status: ['in_transit'],
          limit: 50,
        }),
      ],
      [list({ origin: 'VNSGN', destination: 'Hamburg', transport_mode: ['ocean'], status: ['in_transit'], limit: 50 })],
    ],
    check: (answers, mine) =>
      expectShipments(
        answers,
        mine.where(
          ({ truth }) => truth.origin === 'VNSGN' && truth.destination === 'DEHAM' && truth.status === 'in_transit',
        ),
      ),
  },
  {
    ask: 'List everything that comes from China by sea.',
    ways: [
      [list({ origin: 'CN', transport_mode: ['ocean'], limit: 50 }), nextPage],
      [list({ origin: 'China', transport_mode: ['ocean'], sort: 'created_at', limit: 50 }), nextPage],
    ],
    check: (answers, mine) => {
      const expected = mine.where(
        ({ truth, registration }) => registration.transportMode === 'ocean' && truth.origin?.startsWith('CN') === true,
      );
      expect(expected.length).toBeGreaterThan(50);
      expectShipments(answers, expected);
    },
  },
];
