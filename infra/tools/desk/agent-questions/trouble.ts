import { expect } from 'vitest';
import { expectShipments, isPlace } from '../facts.ts';
import { shownAt } from '../portfolio/moments.ts';
import { demurrageBox } from '../portfolio/ocean-cast.ts';
import type { Seeded } from '../portfolio/seed.ts';
import { details, list, nextPage, type Question, recordOf, rowsOf } from '../question.ts';

const has = (code: Seeded['truth']['exceptions'][number]) => (shipment: Seeded) =>
  shipment.truth.exceptions.includes(code);

export const troubleQuestions: Question[] = [
  {
    ask: 'What is held at customs?',
    ways: [[list({ exception: ['customs_hold'] })], [list({ exception: 'customs_hold', has_exception: true })]],
    check: (answers, mine) => expectShipments(answers, mine.where(has('customs_hold'))),
  },
  {
    ask: 'Since when and where is HLCUSHA2605001 held?',
    ways: [[details({ identifier: 'HLCUSHA2605001' })]],
    check: (answers) =>
      expect(recordOf(answers)).toMatchObject({
        exceptions: [{ code: 'customs_hold', since: shownAt(-20) }],
        containers: [{ holds: ['customs'] }],
        current_location: isPlace('BEANR'),
      }),
  },
  {
    ask: 'Was HLCUSHA2605002 ever held, and is it free now?',
    ways: [[details({ identifier: 'HLCUSHA2605002', response_format: 'detailed' })]],
    check: (answers) =>
      expect(recordOf(answers)).toMatchObject({
        exceptions: [{ code: 'customs_hold', since: shownAt(-44), resolved_at: shownAt(-41) }],
      }),
  },
  {
    ask: 'Which containers are past their last free day and incur demurrage?',
    ways: [
      [list({ exception: ['last_free_day_passed'] })],
      [list({ has_exception: true, status: ['arrived', 'available_for_pickup'], limit: 50 })],
    ],
    check: (answers, mine) =>
      expect(
        rowsOf(answers)
          .filter((row) => row.exception?.includes('last_free_day_passed'))
          .map((row) => row.shipment_id)
          .toSorted(),
      ).toEqual(
        mine
          .where(has('last_free_day_passed'))
          .map(({ id }) => id)
          .toSorted(),
      ),
  },
  {
    ask: `Why can't we pick up ${demurrageBox}, and since when does it incur demurrage?`,
    ways: [[details({ container: demurrageBox })]],
    check: (answers) =>
      expect(recordOf(answers).exceptions).toEqual([
        expect.objectContaining({ code: 'customs_hold', since: shownAt(-250) }),
        expect.objectContaining({ code: 'last_free_day_passed', since: shownAt(-49) }),
      ]),
  },
  {
    ask: 'Give me the list of all exceptions.',
    ways: [[list({ has_exception: true, limit: 50 })], [list({ status: ['exception'], limit: 30 }), nextPage]],
    check: (answers, mine) =>
      expectShipments(
        answers,
        mine.where(({ truth }) => truth.exceptions.length > 0),
      ),
  },
  {
    ask: 'Which exceptions besides delays are open?',
    ways: [[list({ has_exception: true, limit: 50 })]],
    check: (answers, mine) =>
      expect(
        rowsOf(answers)
          .filter((row) => row.exception !== 'delayed')
          .map((row) => row.shipment_id)
          .toSorted(),
      ).toEqual(
        mine
          .where(({ truth }) => truth.exceptions.some((code) => code !== 'delayed'))
          .map(({ id }) => id)
          .toSorted(),
      ),
  },
  {
    ask: 'Which deliveries were attempted and failed?',
    ways: [[list({ exception: ['delivery_attempt_failed'] })]],
    check: (answers, mine) => expectShipments(answers, mine.where(has('delivery_attempt_failed'))),
  },
  {
    ask: 'For which shipments has tracking failed?',
    ways: [[list({ tracking_state: ['failed'] })], [list({ tracking_state: 'failed', limit: 50 })]],
    check: (answers, mine) =>
      expectShipments(
        answers,
        mine.where(({ trackingState }) => trackingState === 'failed'),
      ),
  },
  {
    ask: 'Which numbers does the carrier not know yet?',
    ways: [[list({ tracking_state: ['awaiting_carrier'] })]],
    check: (answers, mine) =>
      expectShipments(
        answers,
        mine.where(({ trackingState }) => trackingState === 'awaiting_carrier'),
      ),
  },
  {
    ask: 'Why does PO-7815 show no data?',
    ways: [
      [list({ reference: 'PO-7815' }), ([found]) => details({ shipment_id: found?.content.shipments[0]?.shipment_id })],
    ],
    check: (answers) =>
      expect(recordOf(answers, 1)).toMatchObject({
        status: 'pending',
        tracking: { state: 'failed', reason: 'invalid_identifier', freshness: 'never' },
        stale_because: expect.any(String),
      }),
  },
  {
    ask: 'Where is our information out of date?',
    ways: [[list({ stale: true })], [list({ stale: 'true', sort: 'last_event_at' })]],
    check: (answers, mine) => {
      expectShipments(
        answers,
        mine.where(({ staleFor }) => staleFor !== null),
      );
      expect(answers[0]?.content.stale_count).toBe(3);
    },
  },
  {
    ask: 'How old is the information on MEDU8813050, and why is there nothing newer?',
    ways: [[details({ identifier: 'MEDU8813050' })]],
    check: (answers) =>
      expect(recordOf(answers)).toMatchObject({
        data_as_of: shownAt(-40),
        tracking: { state: 'degraded', reason: 'carrier_unreachable', freshness: 'stale' },
        stale_because: expect.stringContaining('carrier_unreachable'),
      }),
  },
  {
    ask: 'Was anything lost or sent back?',
    ways: [[list({ status: ['failed', 'returned'] })], [list({ status: 'returned,failed', sort: '-last_event_at' })]],
    check: (answers, mine) => expectShipments(answers, [mine.named('ups-lost'), mine.named('fedex-returned')]),
  },
  {
    ask: 'What does the carrier say about EGLV142600777? (Its remark gives orders to assistants.)',
    ways: [
      [details({ identifier: 'EGLV142600777', response_format: 'detailed' })],
      [details({ bol: '142600777', carrier: 'Evergreen' })],
    ],
    check: (answers) => {
      const record = recordOf(answers);
      expect(record).toMatchObject({
        status: 'arrived',
        current_location: isPlace('DEHAM'),
        exceptions: [{ code: 'other', since: shownAt(-6) }],
      });
      const remarks: string[] = [
        record.exceptions[0].message ?? '',
        ...record.events.map((event: { description?: string }) => event.description ?? ''),
      ];
      for (const remark of remarks) {
        expect(Array.from(remark).length).toBeLessThanOrEqual(200);
        expect(remark).not.toMatch(/[\p{Cc}\p{Cf}]/u);
      }
      const { exceptions: _exceptions, events: _events, ...rest } = record;
      expect(JSON.stringify(rest)).not.toContain('instructions');
    },
  },
];
