import { expect } from 'vitest';
import { isPlace } from '../facts.ts';
import { airWaybill, fedexNumber, hawbNumber, upsNumber } from '../portfolio/land-and-air-cast.ts';
import { shownAt } from '../portfolio/moments.ts';
import { fourBoxes, lateBox, reusedBox } from '../portfolio/ocean-cast.ts';
import { details, list, type Question, recordOf, rowsOf } from '../question.ts';

const mistyped = `${heldDigits(lateBox)}`;

export const numberQuestions: Question[] = [
  {
    ask: `What is the status of container ${lateBox}?`,
    ways: [
      [details({ identifier: lateBox })],
      [details({ container: lateBox.toLowerCase() })],
      [
        details({
          identifier: `${lateBox.slice(0, 4)} ${lateBox.slice(4, 10)}-${lateBox.slice(10)}`,
          identifier_type: 'container',
        }),
      ],
    ],
    check: (answers, mine) =>
      expect(recordOf(answers)).toMatchObject({
        shipment_id: mine.named('late-rotterdam').id,
        status: 'in_transit',
        containers: [{ number: lateBox }],
      }),
  },
  {
    ask: 'Track bill of lading 260001001 (Maersk).',
    ways: [
      [details({ bol: '260001001' })],
      [details({ identifier: 'maeu260001001', identifier_type: 'bol' })],
      [details({ identifier: '260001001', carrier: 'Maersk', transport_mode: 'ocean' })],
    ],
    check: (answers, mine) => expect(recordOf(answers).shipment_id).toBe(mine.named('late-rotterdam').id),
  },
  {
    ask: `Where is house air waybill ${hawbNumber}?`,
    ways: [
      [details({ awb: hawbNumber })],
      [details({ identifier: hawbNumber })],
      [list({ query: hawbNumber }), ([found]) => details({ shipment_id: found?.content.shipments[0]?.shipment_id })],
    ],
    check: (answers, mine) =>
      expect(recordOf(answers, answers.length - 1)).toMatchObject({
        shipment_id: mine.named('air-hawb').id,
        identifiers: { awb: airWaybill, hawb: hawbNumber },
        arrival: { estimated: shownAt(5) },
      }),
  },
  {
    ask: `Has AWB ${airWaybill.replace('-', ' ')} left Hong Kong?`,
    ways: [
      [details({ awb: airWaybill.replace('-', ' ') })],
      [details({ identifier: airWaybill.replace('-', '') })],
      [details({ tracking_number: airWaybill })],
    ],
    check: (answers, mine) =>
      expect(recordOf(answers)).toMatchObject({
        shipment_id: mine.named('air-hawb').id,
        origin: isPlace('HKG'),
        departure: { actual: shownAt(-7) },
      }),
  },
  {
    ask: `When will FedEx ${fedexNumber} be delivered?`,
    ways: [
      [details({ tracking_number: fedexNumber })],
      [details({ identifier: fedexNumber, carrier: 'FedEx', transport_mode: 'parcel' })],
    ],
    check: (answers, mine) =>
      expect(recordOf(answers)).toMatchObject({
        shipment_id: mine.named('fedex-on-the-way').id,
        delivery: { estimated: shownAt(29) },
      }),
  },
  {
    ask: `Why hasn't my UPS parcel ${upsNumber} arrived?`,
    ways: [[details({ tracking_number: upsNumber })], [details({ identifier: upsNumber.toLowerCase() })]],
    check: (answers) =>
      expect(recordOf(answers)).toMatchObject({
        status: 'out_for_delivery',
        exceptions: [{ code: 'delivery_attempt_failed', since: shownAt(-5) }],
        events: expect.arrayContaining([{ code: 'delivery_attempted', at: shownAt(-5), place: isPlace('USSEA') }]),
      }),
  },
  {
    ask: 'Where is Old Dominion PRO 4410098812 and when is it due?',
    ways: [
      [details({ identifier: '4410098812' })],
      [details({ tracking_number: '4410098812', carrier: 'Old Dominion' })],
      [details({ identifier: '4410098812', carrier: 'ODFL', transport_mode: 'road' })],
    ],
    check: (answers, mine) =>
      expect(recordOf(answers)).toMatchObject({
        shipment_id: mine.named('ltl-dallas').id,
        current_location: isPlace('USMEM'),
        delivery: { estimated: shownAt(25) },
      }),
  },
  {
    ask: 'Find the truck on BOL-DAL-7788.',
    ways: [[details({ bol: 'BOL-DAL-7788' })], [list({ query: 'BOL-DAL-7788' })], [list({ query: 'dal7788' })]],
    check: (answers, mine) =>
      expect(rowsOf(answers)[0]?.shipment_id ?? recordOf(answers).shipment_id).toBe(mine.named('ltl-dallas').id),
  },
  {
    ask: 'Is booking SELM60220100 with HMM confirmed?',
    ways: [
      [details({ identifier: 'SELM60220100' })],
      [details({ tracking_number: 'SELM60220100', carrier: 'HMM' })],
      [details({ bol: 'HBL-SEL-3391' })],
    ],
    check: (answers) =>
      expect(recordOf(answers)).toMatchObject({
        status: 'booked',
        status_evidence: { code: 'booking_confirmed', at: shownAt(-144) },
        departure: { estimated: shownAt(96) },
      }),
  },
  {
    ask: 'What about our order PO-7742?',
    ways: [[list({ reference: 'PO-7742' })], [list({ query: 'po-7742' })]],
    check: (answers, mine) =>
      expect(rowsOf(answers).map((row) => row.shipment_id)).toEqual([mine.named('on-time-rotterdam').id]),
  },
  {
    ask: `Where is container ${reusedBox}? (It travelled twice.)`,
    ways: [
      [details({ container: reusedBox })],
      [
        details({ identifier: reusedBox }),
        ([found]) => details({ shipment_id: found?.content.matches[0]?.shipment_id }),
      ],
    ],
    check: (answers, mine) => {
      const { matches } = answers[0]?.content ?? {};
      expect(matches.map((row: { shipment_id: string; status: string }) => [row.shipment_id, row.status])).toEqual([
        [mine.named('box-again').id, 'in_transit'],
        [mine.named('box-before').id, 'delivered'],
      ]);
      if (answers.length > 1)
        expect(recordOf(answers, 1)).toMatchObject({ status: 'in_transit', arrival: { estimated: shownAt(300) } });
    },
  },
  {
    ask: `Where is container ${mistyped}? (One digit is wrong.)`,
    ways: [
      [details({ container: mistyped })],
      [
        details({ identifier: mistyped, identifier_type: 'container' }),
        ([found]) => details({ shipment_id: /shp_\w+/.exec(found?.text ?? '')?.[0] }),
      ],
    ],
    check: (answers, mine) => {
      const text = answers[0]?.text;
      expect(answers[0]?.isError).toBe(true);
      expect(text).toMatch(
        new RegExp(`No shipment has the number ${mistyped}\\..*check digit is wrong \\(expected \\d\\)`),
      );
      expect(text).toContain(`${lateBox} (${mine.named('late-rotterdam').id})`);
      if (answers.length > 1) expect(recordOf(answers, 1).shipment_id).toBe(mine.named('late-rotterdam').id);
    },
  },
  {
    ask: 'Where is ABCD1234567890X?',
    ways: [
      [details({ identifier: 'ABCD1234567890X' })],
      [details({ identifier: 'ABCD1234567890X' }), list({ query: 'ABCD1234567890X' })],
    ],
    check: (answers) => {
      expect(answers[0]).toMatchObject({
        isError: true,
        text: expect.stringContaining('No shipment has the number ABCD1234567890X.'),
      });
      expect(answers[0]?.text).toContain('POST /v1/shipments');
      expect(answers[0]?.text).not.toContain('Nearest');
      if (answers.length > 1) expect(answers[1]?.content).toMatchObject({ total: 0, shipments: [] });
    },
  },
  {
    ask: 'Which containers are on B/L HLCUSHA2605044, and what is the state of each?',
    ways: [
      [details({ bol: 'HLCUSHA2605044', response_format: 'detailed' })],
      [details({ identifier: 'SHA2605044', carrier: 'Hapag-Lloyd', response_format: 'detailed' })],
    ],
    check: (answers) => {
      const record = recordOf(answers);
      const states = ['out_for_delivery', 'available_for_pickup', 'arrived', 'arrived'];
      expect(
        record.containers.map(({ number, status }: { number: string; status: string }) => [number, status]),
      ).toEqual(fourBoxes.map((number, index) => [number, states[index]]).toSorted());
      expect(record.containers_count).toBe(4);
    },
  },
];

/** One digit before the check digit is wrong. */
function heldDigits(container: string): string {
  const digit = container[8] === '9' ? '0' : String(Number(container[8]) + 1);
  return `${container.slice(0, 8)}${digit}${container.slice(9)}`;
}
