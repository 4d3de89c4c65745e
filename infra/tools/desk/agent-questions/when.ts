import { expect } from 'vitest';
import { expectShipments } from '../facts.ts';
import { dayAt, friday, isWithin, lastWeek, midnightAfter, shownAt, thisWeek } from '../portfolio/moments.ts';
import type { Seeded } from '../portfolio/seed.ts';
import { details, list, nextPage, type Question, type Row, recordOf, rowsOf } from '../question.ts';

const week = { eta_from: dayAt(thisWeek.from), eta_to: dayAt(thisWeek.to - 1) };
const underWay = ['pending', 'booked', 'in_transit', 'arrived', 'out_for_delivery'];
/** Rows keep the ETA after the arrival: the status says which are still to come. */
const stillToCome: readonly string[] = ['pending', 'booked', 'in_transit', 'out_for_delivery'];

const comesThisWeek = ({ truth }: Seeded) => isWithin(truth.eta, thisWeek);
const tomorrow = { from: midnightAfter(1), to: midnightAfter(2) };

/** One that has arrived and goes on inland keeps the ETA of its port, which is past without being overdue. */
const isAhead = (row: Row) => (row.eta ?? '') >= dayAt(0) || row.overdue_hours !== undefined;

/** Rows shown that are still to come. */
const expectToCome = (answers: Parameters<Question['check']>[0], expected: Seeded[]) => {
  const toCome = rowsOf(answers).filter(
    (row) => row.eta !== undefined && stillToCome.includes(row.status) && isAhead(row),
  );
  expect(toCome.map((row) => row.shipment_id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  expect(answers.at(-1)?.content.has_more).toBe(false);
};

export const whenQuestions: Question[] = [
  {
    ask: 'What arrives this week?',
    ways: [
      [list({ ...week, status: underWay, sort: 'eta', limit: 50 }), nextPage],
      [list({ ...week, limit: 50 }), nextPage],
    ],
    check: (answers, mine) => expectToCome(answers, mine.where(comesThisWeek)),
  },
  {
    ask: 'What arrives tomorrow?',
    ways: [
      [list({ eta_from: dayAt(tomorrow.from), eta_to: dayAt(tomorrow.from), limit: 50 })],
      [list({ eta_from: shownAt(tomorrow.from), eta_to: shownAt(tomorrow.to - 1 / 60), limit: 50 })],
    ],
    check: (answers, mine) =>
      expectToCome(
        answers,
        mine.where(({ truth }) => isWithin(truth.eta, tomorrow)),
      ),
  },
  {
    ask: 'Which ocean shipments reach Rotterdam in the next seven days?',
    ways: [
      [
        list({
          destination: 'Rotterdam',
          transport_mode: ['ocean'],
          eta_from: shownAt(0),
          eta_to: shownAt(168),
          limit: 50,
        }),
      ],
      [
        list({
          destination: 'nlrtm',
          transport_mode: 'ocean',
          eta_from: shownAt(0),
          eta_to: shownAt(168),
          sort: 'eta',
          limit: 50,
        }),
      ],
    ],
    check: (answers, mine) =>
      expectToCome(
        answers,
        mine.where(
          ({ truth, registration }) =>
            registration.transportMode === 'ocean' &&
            truth.destination === 'NLRTM' &&
            isWithin(truth.eta, { from: 0, to: 168 }),
        ),
      ),
  },
  {
    ask: 'Which of my shipments arrive next? Show the first three.',
    ways: [[list({ eta_from: shownAt(0), sort: 'eta', limit: 3 })]],
    check: (answers, mine) => {
      const soonest = mine
        .where(({ truth }) => truth.eta !== null)
        .toSorted((left, right) => (left.truth.eta ?? 0) - (right.truth.eta ?? 0));
      expect(rowsOf(answers).map((row) => row.shipment_id)).toEqual(soonest.slice(0, 3).map(({ id }) => id));
    },
  },
  {
    ask: 'Can I safely promise PO-7811 for Friday?',
    ways: [
      [list({ reference: 'PO-7811' }), ([found]) => details({ shipment_id: found?.content.shipments[0]?.shipment_id })],
      [details({ identifier: 'MAEU260001101' })],
    ],
    check: (answers) => {
      const record = recordOf(answers, answers.length - 1);
      expect(record).toMatchObject({
        arrival: { estimated: shownAt(friday - 44) },
        delay_hours: 0,
        tracking: { freshness: 'fresh' },
      });
      expect(record.exceptions).toBeUndefined();
      expect(record.stale_because).toBeUndefined();
    },
  },
  {
    ask: 'Can I safely promise PO-7812 for Friday?',
    ways: [[list({ reference: 'PO-7812' })], [details({ identifier: 'MEDU8813001' })]],
    check: (answers) => {
      const [row] = rowsOf(answers);
      const eta = row?.eta ?? recordOf(answers).arrival.estimated;
      expect([eta.slice(0, 10), row?.delay_hours ?? recordOf(answers).delay_hours]).toEqual([dayAt(friday + 30), 50]);
    },
  },
  {
    ask: 'What was delivered last week by sea?',
    ways: [
      [list({ status: ['delivered'], transport_mode: ['ocean'], sort: '-status_changed_at', limit: 50 })],
      [list({ status: 'delivered', transport_mode: 'ocean', sort: '-last_event_at', limit: 50 })],
    ],
    check: (answers, mine) => {
      const [from, to] = [dayAt(lastWeek.from), dayAt(lastWeek.to)];
      const shown = rowsOf(answers).filter(({ delivered_at: at = '' }) => at >= from && at < to);
      const expected = mine.where(
        ({ truth, registration }) => registration.transportMode === 'ocean' && isWithin(truth.delivered, lastWeek),
      );
      expect(shown.map((row) => row.shipment_id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
      expect(answers[0]?.content.has_more).toBe(false);
    },
  },
  {
    ask: 'When exactly was the truck on PRO 4410098813 delivered?',
    ways: [
      [details({ identifier: '4410098813' })],
      [details({ tracking_number: '4410098813', response_format: 'detailed' })],
    ],
    check: (answers) => expect(recordOf(answers).delivery.actual).toBe(shownAt(lastWeek.from + 58)),
  },
  {
    ask: 'Which ocean shipments have not departed yet?',
    ways: [
      [list({ status: ['pending', 'booked'], transport_mode: ['ocean'], limit: 50 })],
      [list({ status: 'booked,pending', transport_mode: 'ocean', limit: 20 }), nextPage],
    ],
    check: (answers, mine) =>
      expectShipments(
        answers,
        mine.where(
          ({ truth, registration }) =>
            registration.transportMode === 'ocean' && ['pending', 'booked'].includes(truth.status),
        ),
      ),
  },
  {
    ask: 'What has changed since this time yesterday?',
    ways: [
      [list({ updated_since: shownAt(-24), sort: '-updated_at', limit: 50 })],
      [list({ updated_since: shownAt(-24), sort: '-updated_at' }), nextPage],
    ],
    check: (answers, mine) =>
      expectShipments(
        answers,
        mine.where(({ changedFor }) => changedFor <= 24),
      ),
  },
];
