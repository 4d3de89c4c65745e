import { archivedBox, freeDays, houseBill, terminals, twelveBoxes } from '../portfolio/desk-cast.ts';
import { airWaybill, fedexNumber, hawbNumber, upsNumber } from '../portfolio/land-and-air-cast.ts';
import { shownAt } from '../portfolio/moments.ts';
import { demurrageBox, fourBoxes, lateBox, reusedBox } from '../portfolio/ocean-cast.ts';
import type { Portfolio } from '../portfolio.ts';
import type { Answer, Content } from '../question.ts';
import { type DeskQuestion, lastContent, namesOf } from './intent.ts';

type Pick = (record: Content) => unknown;

/** One number, and one thing to know about it. */
function one(
  kind: DeskQuestion['kind'],
  ask: string,
  number: string,
  pick: Pick,
  truth: (mine: Portfolio) => unknown,
  history = false,
): DeskQuestion {
  return { kind, ask, intent: { want: 'one', number, history }, read: (answers) => pick(lastContent(answers)), truth };
}

const statusOf = (name: string) => (mine: Portfolio) => mine.named(name).truth.status;
const etaOf = (name: string) => (mine: Portfolio) => shownAt(mine.named(name).truth.eta ?? 0);
const boxOf = (number: string) => (mine: Portfolio) => {
  const { status, last } = mine.named('twelve-boxes').truth.boxes.find((own) => own.number === number) ?? {};
  return [number, status, last];
};
const matched: Pick = (record) => [record.matched?.number, record.matched?.status, record.matched?.last_event];
const numbersIn = (record: Content): string[] =>
  [
    ...(record.containers ?? []).map(({ number }: Content) => number),
    ...Object.values<string>(record.more_containers ?? {}).flatMap((text) => text.split(' ')),
  ].toSorted();

export const numberDesk: DeskQuestion[] = [
  one('one number', `Where is ${lateBox}?`, lateBox, ({ status }) => status, statusOf('late-rotterdam')),
  one(
    'one number',
    'When does MAEU260001002 arrive?',
    'MAEU260001002',
    (r) => r.arrival.estimated,
    etaOf('on-time-rotterdam'),
  ),
  one(
    'one number',
    'How late is 260001001?',
    '260001001',
    (r) => r.delay_hours,
    (mine) => mine.named('late-rotterdam').truth.delay,
  ),
  one(
    'one number',
    'Where is PO-7741?',
    'PO-7741',
    (r) => r.destination,
    () => 'Rotterdam (NLRTM)',
  ),
  one(
    'one number',
    `ETA of ${airWaybill}?`,
    airWaybill.replace('-', ''),
    (r) => r.arrival.estimated,
    etaOf('air-hawb'),
  ),
  one(
    'one number',
    `Which shipment is ${hawbNumber}?`,
    hawbNumber,
    (r) => r.matched?.type,
    () => 'hawb',
  ),
  one(
    'one number',
    `When is ${fedexNumber} delivered?`,
    fedexNumber,
    (r) => r.delivery.estimated,
    etaOf('fedex-on-the-way'),
  ),
  one(
    'one number',
    `Why is ${upsNumber} not here?`,
    upsNumber,
    (r) => r.exceptions.map((e: Content) => e.code),
    () => ['delivery_attempt_failed'],
  ),
  one(
    'one number',
    'When was PRO 4410098813 delivered?',
    '4410098813',
    (r) => r.delivery.actual,
    (mine) => shownAt(mine.named('ltl-delivered').truth.delivered ?? 0),
  ),
  one('one number', `Status of box ${twelveBoxes[0]}?`, twelveBoxes[0] ?? '', matched, boxOf(twelveBoxes[0] ?? '')),
  one('one number', `Status of box ${twelveBoxes[3]}?`, twelveBoxes[3] ?? '', matched, boxOf(twelveBoxes[3] ?? '')),
  one(
    'one number',
    `And of its neighbour ${twelveBoxes[11]}?`,
    twelveBoxes[11] ?? '',
    matched,
    boxOf(twelveBoxes[11] ?? ''),
  ),
  one(
    'one number',
    `Is ${fourBoxes[0]} still at the port?`,
    fourBoxes[0] ?? '',
    (r) => r.matched?.status,
    () => 'out_for_delivery',
  ),
  one(
    'one number',
    `Is ${fourBoxes[3]} still at the port?`,
    fourBoxes[3] ?? '',
    (r) => r.matched?.status,
    () => 'arrived',
  ),
  one('one number', `Which containers are on ${houseBill}?`, houseBill, numbersIn, () => twelveBoxes.toSorted()),
  one('one number', `Where is ${reusedBox} now?`, reusedBox, ({ status }) => status, statusOf('box-again')),
  one(
    'one number',
    'What is the reason for no data on MAEU99ZZ0001?',
    'MAEU99ZZ0001',
    (r) => r.tracking.reason,
    () => 'invalid_identifier',
  ),
  one(
    'one number',
    'Full history of 020 5512 0042?',
    'PO-8004',
    (r) => r.events.filter((e: Content) => !e.classifier).map((e: Content) => e.code),
    () => ['consignee_notified', 'received_from_flight', 'arrived', 'departed', 'received_from_shipper'],
    true,
  ),
  one(
    'archived',
    `Where did ${archivedBox} end up?`,
    archivedBox,
    (r) => [r.status, r.archived_at !== undefined],
    () => ['delivered', true],
  ),
  one(
    'archived',
    'Is PO-5002 still tracked?',
    'PO-5002',
    (r) => r.archived_at !== undefined,
    () => true,
  ),
  one(
    'free time',
    `Until when is PO-5102 free?`,
    'PO-5102',
    (r) => r.free_time.last_free_day,
    () => freeDays.soon,
  ),
  one(
    'free time',
    `Does MEDU9910001 cost demurrage already?`,
    'MEDU9910001',
    (r) => [r.free_time.state, r.free_time.last_free_day],
    () => ['over', freeDays.over],
  ),
  one(
    'free time',
    'Last free day of HLCUSHA2609103?',
    'HLCUSHA2609103',
    (r) => r.free_time.last_free_day,
    () => freeDays.later,
  ),
  one(
    'free time',
    `Since when does ${demurrageBox} cost?`,
    demurrageBox,
    (r) => r.exceptions.find((e: Content) => e.code === 'last_free_day_passed')?.since,
    () => shownAt(-49),
  ),
  one(
    'terminals',
    'At which terminal is PO-5101?',
    'PO-5101',
    (r) => r.terminal,
    () => terminals.delta,
  ),
  one(
    'terminals',
    'Which terminal will MAEU260009104 use?',
    'MAEU260009104',
    (r) => r.terminal,
    () => terminals.maasvlakte,
  ),
  one(
    'terminals',
    'Where in Hamburg is HLCUSHA2609103?',
    'HLCUSHA2609103',
    (r) => r.terminal,
    () => terminals.eurogate,
  ),
  one(
    'vessels',
    'Which ship carries MAEU260001001?',
    'MAEU260001001',
    (r) => r.under_way.vehicle,
    () => 'Landfall Meridian',
  ),
  one(
    'vessels',
    'Which flight is 020-55120011 on?',
    airWaybill,
    (r) => r.under_way.vehicle,
    () => 'LH8401',
  ),
  one('hostile texts', 'What does the carrier say about PO-5301?', 'PO-5301', said, () => ['other', []], true),
  one('hostile texts', 'And in short?', 'EGLV142609301', said, () => ['other', []]),
  one(
    'hostile texts',
    'Has EGLV142600777 been delivered?',
    'EGLV142600777',
    ({ status }) => status,
    statusOf('injected'),
  ),
];

/** The exception, and what of its remark is still markup. */
function said(record: Content): unknown {
  const text = JSON.stringify(record);
  const marks = ['](', '![', '<b', 'https://', '<|'].filter((mark) => text.includes(mark));
  return [record.exceptions[0].code, marks];
}

/** Several numbers at once: which shipment each is, and which are unknown. */
function many(ask: string, numbers: string[], names: string[], unknown: string[] = []): DeskQuestion {
  return {
    kind: 'many numbers',
    ask,
    intent: { want: 'many', numbers },
    read: (answers, mine) => [namesOf(answers, mine), lastContent(answers).not_found ?? []],
    truth: () => [names.toSorted(), unknown],
  };
}

const matchedBy = (answers: readonly Answer[], mine: Portfolio) =>
  Object.fromEntries(
    (lastContent(answers).shipments ?? []).flatMap((row: Content) =>
      (row.matched ?? []).map((number: string) => [number, mine.byId(row.shipment_id)?.name]),
    ),
  );

export const manyDesk: DeskQuestion[] = [
  many(
    'Status of PO-7741, PO-7742 and PO-9001?',
    ['PO-7741', 'PO-7742', 'PO-9001'],
    ['late-rotterdam', 'on-time-rotterdam', 'very-late'],
  ),
  many(
    'Where are these five: a box, a bill, a waybill, a parcel, a PRO?',
    [lateBox, 'HLCUSHA2605001', airWaybill, upsNumber, '4410098812'],
    ['late-rotterdam', 'customs-antwerp', 'air-hawb', 'ups-attempted', 'ltl-dallas'],
  ),
  many(
    'Which of these do we have: PO-7741, XXXX0000001, PO-7742?',
    ['PO-7741', 'XXXX0000001', 'PO-7742'],
    ['late-rotterdam', 'on-time-rotterdam'],
    ['XXXX0000001'],
  ),
  many(
    'Do we have any of ABCU0000001 and ABCU0000002?',
    ['ABCU0000001', 'ABCU0000002'],
    [],
    ['ABCU0000001', 'ABCU0000002'],
  ),
  many('Is the archived PO-5001 beside PO-5101 known?', ['PO-5001', 'PO-5101'], ['archived-box', 'free-time-over']),
  {
    kind: 'many numbers',
    ask: 'Which shipment has which of these three boxes?',
    intent: { want: 'many', numbers: [lateBox, twelveBoxes[4] ?? '', demurrageBox] },
    read: matchedBy,
    truth: () => ({
      [lateBox]: 'late-rotterdam',
      [twelveBoxes[4] ?? '']: 'twelve-boxes',
      [demurrageBox]: 'customs-and-demurrage',
    }),
  },
  {
    kind: 'many numbers',
    ask: 'How many of our forty Maersk and Hapag orders are in transit?',
    intent: {
      want: 'many',
      numbers: [...range(20).map((n) => `PO-MAEU-${n}`), ...range(20).map((n) => `PO-HLCU-${n}`)],
    },
    read: ([first]) => first?.content?.counts_by_status.in_transit,
    truth: (mine) =>
      mine.where(({ name, truth }) => /^(MAEU|HLCU)-1?\d$/.test(name) && truth.status === 'in_transit').length,
  },
  {
    kind: 'follow-ups with a cursor',
    ask: 'List these eighty orders with their status.',
    intent: {
      want: 'many',
      numbers: [
        ...range(28).map((n) => `PO-MAEU-${n}`),
        ...range(24).map((n) => `PO-HLCU-${n}`),
        ...range(20).map((n) => `PO-MSCU-${n}`),
      ],
    },
    read: namesOf,
    truth: (mine) =>
      mine
        .where(({ name }) => /^(MAEU|HLCU|MSCU)-\d+$/.test(name))
        .map(({ name }) => name)
        .toSorted(),
  },
];

function range(count: number): number[] {
  return Array.from({ length: count }, (_one, n) => n);
}
