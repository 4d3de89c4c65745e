import { expect } from 'vitest';
import { countBy, expectShipments } from '../facts.ts';
import type { Seeded } from '../portfolio/seed.ts';
import { list, nextPage, type Question, rowsOf } from '../question.ts';

const inMode = (mode: string) => (shipment: Seeded) => shipment.registration.transportMode === mode;

export const countQuestions: Question[] = [
  {
    ask: 'How many shipments do we have, and how many in each status?',
    ways: [[list()], [list({ limit: 1 })]],
    check: ([answer], mine) =>
      expect(answer?.content).toMatchObject({
        total: mine.shipments.length,
        counts_by_status: countBy(mine.shipments, ({ truth }) => truth.status),
      }),
  },
  {
    ask: 'How many are in transit?',
    ways: [[list({ status: ['in_transit'], limit: 1 })], [list({ status: 'in_transit' })]],
    check: ([answer], mine) =>
      expect(answer?.content.total).toBe(mine.where(({ truth }) => truth.status === 'in_transit').length),
  },
  {
    ask: 'How many go by air and how many by sea?',
    ways: [
      [list({ transport_mode: ['air'], limit: 1 }), list({ transport_mode: ['ocean'], limit: 1 })],
      [list({ transport_mode: 'air', limit: 1 }), list({ transport_mode: 'ocean', limit: 1 })],
    ],
    check: (answers, mine) =>
      expect(answers.map(({ content }) => content.total)).toEqual([
        mine.where(inMode('air')).length,
        mine.where(inMode('ocean')).length,
      ]),
  },
  {
    ask: 'How many parcels are not delivered yet?',
    ways: [[list({ transport_mode: ['parcel'], limit: 1 })]],
    check: ([answer], mine) => {
      const { total, counts_by_status: counts } = answer?.content ?? {};
      expect(total - counts.delivered).toBe(
        mine.where((shipment) => inMode('parcel')(shipment) && shipment.truth.status !== 'delivered').length,
      );
    },
  },
  {
    ask: 'List all shipments in transit.',
    ways: [[list({ status: ['in_transit'], limit: 50 }), nextPage]],
    check: (answers, mine) => {
      const expected = mine.where(({ truth }) => truth.status === 'in_transit');
      expect(expected.length).toBeGreaterThan(50);
      expect(answers).toHaveLength(2);
      expect(answers.at(-1)?.content.has_more).toBe(false);
      expectShipments(answers, expected);
    },
  },
  {
    ask: 'Show the shipments of Hapag-Lloyd and MSC that have arrived.',
    ways: [
      [list({ carrier: ['Hapag-Lloyd', 'MSC'], status: ['arrived', 'available_for_pickup'], limit: 50 })],
      [list({ carrier: 'HLCU,MSCU', status: ['arrived', 'available_for_pickup'], limit: 50 })],
      [
        list({
          carrier: ['hapag lloyd', 'Mediterranean Shipping Company'],
          status: ['arrived', 'available_for_pickup'],
          limit: 50,
        }),
      ],
    ],
    check: (answers, mine) =>
      expectShipments(
        answers,
        mine.where(
          ({ truth, registration }) =>
            ['HLCU', 'MSCU'].includes(registration.carrier) &&
            ['arrived', 'available_for_pickup'].includes(truth.status),
        ),
      ),
  },
  {
    ask: 'How are the shipments of the spring launch doing?',
    ways: [[list({ tag: 'spring-launch', limit: 50 })]],
    check: (answers, mine) => {
      const expected = mine.where(({ registration }) => registration.tags?.includes('spring-launch') === true);
      expectShipments(answers, expected);
      expect(answers[0]?.content.counts_by_status).toEqual(countBy(expected, ({ truth }) => truth.status));
    },
  },
  {
    ask: 'What can be picked up today?',
    ways: [[list({ status: ['available_for_pickup'], limit: 50 })]],
    check: (answers, mine) =>
      expectShipments(
        answers,
        mine.where(({ truth }) => truth.status === 'available_for_pickup'),
      ),
  },
  {
    ask: 'Which carriers do we ship with by air?',
    ways: [[list({ transport_mode: ['air'], limit: 50 })]],
    check: (answers, mine) => {
      expect(answers[0]?.content.has_more).toBe(false);
      expect(countBy(rowsOf(answers), (row) => row.carrier)).toEqual(
        countBy(mine.where(inMode('air')), ({ registration }) => registration.carrier),
      );
    },
  },
  {
    ask: 'Which shipment did we register last?',
    ways: [[list({ limit: 1 })], [list({ sort: '-created_at', limit: 1 })]],
    check: (answers, mine) =>
      expect(rowsOf(answers).map((row) => row.shipment_id)).toEqual([mine.shipments.at(-1)?.id]),
  },
];
