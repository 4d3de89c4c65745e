import { expect } from 'vitest';
import { countBy, expectShipments } from '../facts.ts';
import { shownAt } from '../portfolio/moments.ts';
import type { Seeded } from '../portfolio/seed.ts';
import { details, list, nextPage, type Question, recordOf, rowsOf } from '../question.ts';

const isLate = (hours: number) => (shipment: Seeded) => (shipment.truth.delay ?? 0) >= hours;
const onTheWay = ['pending', 'booked', 'in_transit'];
const isOnTheWay = ({ truth }: Seeded) => onTheWay.includes(truth.status);

export const lateQuestions: Question[] = [
  {
    ask: 'Which of my shipments are late by a day or more?',
    ways: [[list({ delayed_min_hours: 24, limit: 50 })], [list({ delayed_min_hours: '24', limit: 30 }), nextPage]],
    check: (answers, mine) => expectShipments(answers, mine.where(isLate(24))),
  },
  {
    ask: 'Which shipments still on the way are delayed more than 48 hours?',
    ways: [
      [list({ delayed_min_hours: 49, status: ['pending', 'booked', 'in_transit'], limit: 50 })],
      [list({ delayed_min_hours: 49, status: 'pending,booked,in_transit', sort: '-eta', limit: 50 })],
    ],
    check: (answers, mine) =>
      expectShipments(
        answers,
        mine.where((shipment) => isLate(49)(shipment) && isOnTheWay(shipment)),
      ),
  },
  {
    ask: 'Which shipment on the water has the biggest delay?',
    ways: [[list({ delayed_min_hours: 24, status: ['in_transit'], transport_mode: ['ocean'], limit: 50 })]],
    check: (answers, mine) => {
      const worst = rowsOf(answers).reduce((most, row) =>
        (row.delay_hours ?? 0) > (most.delay_hours ?? 0) ? row : most,
      );
      expect(worst).toMatchObject({ shipment_id: mine.named('very-late').id, delay_hours: 240 });
      expect(answers[0]?.content.has_more).toBe(false);
    },
  },
  {
    ask: 'Which shipment has been overdue the longest: the earliest first estimate, and still not arrived?',
    ways: [[list({ delayed_min_hours: 1, status: ['booked', 'in_transit'], limit: 50 })]],
    check: (answers, mine) => {
      const promised = rowsOf(answers).map((row) => ({
        id: row.shipment_id,
        at: Date.parse(row.eta ?? '') - (row.delay_hours ?? 0) * 3_600_000,
      }));
      expect(promised.toSorted((left, right) => left.at - right.at)[0]?.id).toBe(mine.named('very-late').id);
      expect(answers[0]?.content.has_more).toBe(false);
    },
  },
  {
    ask: 'Which carrier is worst at keeping to its dates?',
    ways: [[list({ delayed_min_hours: 24, limit: 50 })], [list({ delayed_min_hours: 24, limit: 25 }), nextPage]],
    check: (answers, mine) => {
      const counted = countBy(rowsOf(answers), (row) => row.carrier);
      expect(counted).toEqual(countBy(mine.where(isLate(24)), ({ registration }) => registration.carrier));
      expect(Object.entries(counted).toSorted((left, right) => right[1] - left[1])[0]?.[0]).toBe('CMDU');
    },
  },
  {
    ask: 'How many CMA CGM shipments are late by two days or more, and out of how many?',
    ways: [
      [list({ carrier: ['CMA CGM'], delayed_min_hours: 48, limit: 1 }), list({ carrier: ['CMA CGM'], limit: 1 })],
      [list({ carrier: 'CMDU', delayed_min_hours: 48, limit: 1 }), list({ carrier: 'cma-cgm', limit: 1 })],
    ],
    check: (answers, mine) => {
      const all = mine.where(({ registration }) => registration.carrier === 'CMDU');
      expect(answers.map(({ content }) => content.total)).toEqual([all.filter(isLate(48)).length, all.length]);
    },
  },
  {
    ask: 'What is late going to Rotterdam?',
    ways: [
      [list({ delayed_min_hours: 1, destination: 'Rotterdam', status: onTheWay, limit: 50 })],
      [list({ delayed_min_hours: 1, destination: 'NLRTM', status: onTheWay, limit: 50 })],
    ],
    check: (answers, mine) =>
      expectShipments(
        answers,
        mine.where((shipment) => isLate(1)(shipment) && isOnTheWay(shipment) && shipment.truth.destination === 'NLRTM'),
      ),
  },
  {
    ask: 'Are any air shipments running late?',
    ways: [
      [list({ transport_mode: ['air'], delayed_min_hours: 1 })],
      [list({ transport_mode: 'air', delayed_min_hours: 1, status: ['in_transit'] })],
    ],
    check: (answers, mine) => expectShipments(answers, [mine.named('air-hawb'), mine.named('air-late')]),
  },
  {
    ask: 'For MAEU260001001: what was the original ETA, what is it now, and how late is that?',
    ways: [[details({ identifier: 'MAEU260001001' })], [details({ bol: 'MAEU260001001', carrier: 'Maersk' })]],
    check: (answers) =>
      expect(recordOf(answers)).toMatchObject({
        arrival: { promised: shownAt(28), estimated: shownAt(100) },
        delay_hours: 72,
      }),
  },
  {
    ask: 'How did the ETA of PO-7741 move over time?',
    ways: [
      [details({ identifier: 'MAEU260001001', response_format: 'detailed' })],
      [
        list({ reference: 'PO-7741' }),
        ([found]) => details({ shipment_id: found?.content.shipments[0]?.shipment_id, response_format: 'detailed' }),
      ],
    ],
    check: (answers) =>
      expect(recordOf(answers, answers.length - 1).eta_history.map((one: { eta: string }) => one.eta)).toEqual([
        shownAt(28),
        shownAt(52),
        shownAt(100),
      ]),
  },
  {
    ask: 'Which late shipments can I not trust because the data is stale?',
    ways: [[list({ delayed_min_hours: 24, stale: true })]],
    check: (answers, mine) => expectShipments(answers, [mine.named('quiet-and-late')]),
  },
];
