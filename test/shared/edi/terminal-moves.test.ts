import { expect, test } from 'vitest';
import { readEventRow } from '#shared/core/events-in/read-event-row.ts';
import { mergeReading } from '#shared/core/tracking/compose-refresh.ts';
import { composeJourney } from '#shared/domain/journey/journey.ts';
import { readEdifact } from '#shared/edi/edifact/read-edifact.ts';
import { onlyMessage, readAll } from './read-all.ts';

const nowMs = Date.UTC(2026, 3, 20);

/** A CODECO or COARRI of these segments, as SMDG's manuals have them. */
function read(type: 'CODECO' | 'COARRI', ...body: string[]) {
  const lines = [`UNH+1+${type}:D:95B:UN:ITG14`, ...body, `UNT+${body.length + 2}+1`].join("'");
  return onlyMessage(readAll(readEdifact(`UNB+UNOA:2+PORTTERM+ACME+260415:0930+7'${lines}'UNZ+1+7'`)));
}

/** The moves in one line each: code, container, place, time. */
const moves = ({ events }: ReturnType<typeof read>) =>
  events.map(({ row }) => {
    const result = readEventRow({ ...row, sourceName: 'a' }, nowMs);
    const time = 'event' in result ? (result.event?.time.at ?? null) : result.map(({ detail }) => detail).join();
    return [row.code, row.container, row.location?.unlocode ?? null, time];
  });
const reasons = ({ faults }: ReturnType<typeof read>) =>
  faults.map(({ tag, reason, effect }) => `${tag} ${effect}: ${reason}`);

const unit = (status: string, fullness: string) => `EQD+CN+MSKU1234565+45G1:102:5++${status}+${fullness}`;
const gate = (report: string, eqd: string, ...rest: string[]) =>
  read('CODECO', `BGM+${report}+1+9`, eqd, 'DTM+7:202604141259:203', 'LOC+165+NLRTM:139:6+ECTDDE:TER:ZZZ', ...rest);

test.each([
  ['34', '2', '5', 'gate_in_full'],
  ['34', '3', '4', 'gate_in_empty'],
  ['36', '3', '5', 'gate_out_full'],
  ['36', '2', '4', 'gate_out_empty'],
  ['109', '2', '5', 'gate_in_full'],
  ['111', '3', '5', 'gate_out_full'],
])('a CODECO %s of a container with 8249 %s and 8169 %s is %s', (report, status, fullness, code) => {
  const message = gate(report, unit(status, fullness));
  expect(moves(message)).toEqual([[code, 'MSKU1234565', 'NLRTM', '2026-04-14T10:59:00.000Z']]);
  expect(message.events[0]?.row).toMatchObject({ location: { facility: 'ECTDDE' }, empty: fullness === '4' });
  expect(message.faults).toEqual([]);
});

test('a gate move keeps seals, weight and damage, and the numbers that find its shipment', () => {
  const { row } =
    gate(
      '34',
      unit('2', '5'),
      'RFF+BN:3048413690',
      'MEA+AAE+T+KGM:3900',
      'MEA+AAE+G+KGM:21430',
      'SEL+OOLAYJ9379+SH+1',
      'SEL+PEZA03340727+CA+1',
      'DAM+1+DEN:ZZZ::DENT+LEFT:ZZZ::LEFT+MIN:ZZZ',
      'TDT+1++3+31',
    ).events[0] ?? {};
  expect(row).toMatchObject({
    seals: ['OOLAYJ9379', 'PEZA03340727'],
    details: { weightKg: 21430, statusDetail: 'damaged' },
    sourceWords: 'Gate in. Damage: DENT LEFT MIN',
    targets: [
      { numbers: [{ key: 'booking', value: '3048413690' }] },
      { numbers: [{ key: 'container', value: 'MSKU1234565' }] },
    ],
  });
  expect(gate('34', unit('3', '4'), 'DAM+1+DEN').events[0]?.row.details).toBeUndefined();
});

test.each([
  ['MEA+AAE+VGM+KGM:24500', 24_500],
  ['MEA+AAE+AET+TNE:21.5', 21_500],
  ['MEA+WT++LBR:1000', 453.592],
  ['MEA+AAE+T+KGM:3900', undefined],
])('a weight is the gross one in kilograms: %s', (measure, kg) => {
  expect(gate('36', unit('3', '5'), measure).events[0]?.row.details?.weightKg).toBe(kg);
});

test('a full container that leaves or comes by train was loaded on it or unloaded from it', () => {
  expect(moves(gate('36', unit('3', '5'), 'TDT+1++2+25')).map(([code]) => code)).toEqual(['rail_loaded']);
  expect(moves(gate('34', unit('3', '5'), 'TDT+1++2+25')).map(([code]) => code)).toEqual(['rail_unloaded']);
  expect(moves(gate('34', unit('2', '5'), 'TDT+1++2+25')).map(([code]) => code)).toEqual(['gate_in_full']);
});

const voyage = 'TDT+20+129W+1++OOLV:172:166+++9227273:146::OOCL TAICHUNG';
const vessel = (report: string, header: string[], eqd: string, ...own: string[]) =>
  read('COARRI', `BGM+${report}++9`, voyage, ...header, eqd, 'DTM+203:202604140234:203', ...own);

test.each([
  ['98', ['LOC+11+DEHAM:139:6', 'LOC+9+NLRTM:139:6'], ['LOC+11+NLRTM:139:6', 'LOC+9+CNSHA'], 'discharged'],
  ['119', ['LOC+11+NLRTM:139:6'], [], 'discharged'],
  ['44', ['LOC+11+NLRTM'], [], 'discharged'],
  ['44', ['FTX+OSI++D', 'LOC+9+NLRTM', 'LOC+11+NLRTM'], [], 'discharged'],
  ['44', ['LOC+9+NLRTM'], [], 'loaded'],
  ['46', ['LOC+9+NLRTM'], [], 'loaded'],
  ['122', [], ['LOC+9+NLRTM', 'LOC+11+CNSHA'], 'loaded'],
  ['270', ['LOC+9+NLRTM'], ['LOC+11+CNSHA'], 'loaded'],
])('a COARRI %s with %j and %j is %s at its own port', (report, header, own, code) => {
  const message = vessel(report, header, unit('3', '5'), ...own);
  expect(moves(message)).toEqual([[code, 'MSKU1234565', 'NLRTM', '2026-04-14T00:34:00.000Z']]);
  expect(message.events[0]?.row).toMatchObject({
    transportMode: 'ocean',
    vehicle: { imo: '9227273', name: 'OOCL TAICHUNG', voyage: '129W' },
  });
  expect(message.faults).toEqual([]);
});

test.each(['4', '5'])(
  'a container that remains on board or is shifted (8249 is %s) did not leave its vessel',
  (status) => {
    expect(moves(vessel('98', ['LOC+11+NLRTM'], unit(status, '5'))).map(([code]) => code)).toEqual(['other']);
  },
);

test('the port of a COARRI may be written with the digits of its terminal', () => {
  const { row } = vessel('98', ['LOC+11+NLRTM45:139:6'], unit('3', '5')).events[0] ?? {};
  expect(row?.location).toMatchObject({ unlocode: 'NLRTM', facility: 'NLRTM45' });
});

test('each container of a message is a move of its own', () => {
  const message = read(
    'CODECO',
    'BGM+36+1+9',
    unit('3', '5'),
    'DTM+7:202604141259:203',
    'LOC+165+NLRTM',
    'EQD+CN+MSKU1234570+45G1++3+5',
    'LOC+165+NLRTM',
    'EQD+CN++45G1++3+5',
    'CNT+16:3',
  );
  expect(moves(message).map(([code]) => code)).toEqual(['gate_out_full']);
  expect(reasons(message)).toEqual([
    'EQD segment_left_out: EQD has no DTM with the qualifier 7, 203, 334, 178, 186.',
    'EQD segment_left_out: EQD has no container number (8260).',
  ]);
});

test('a refusal names segment, element and qualifier', () => {
  expect(reasons(vessel('44', [], unit('3', '5'), 'LOC+11+NLRTM'))).toEqual([
    'BGM message_refused: BGM 1001 is 44. State the move: LOC+11 or FTX+OSI with D (discharged), LOC+9 or L (loaded).',
  ]);
  expect(reasons(gate('36', 'EQD+CN+MSKU1234565+45G1'))).toEqual([
    'EQD note: EQD does not say whether the container is empty (4) or full (5) in 8169. It is kept as information.',
  ]);
  expect(reasons(gate('998', unit('3', '5')))).toEqual([
    'EQD note: 998 is not a document name code of a CODECO (BGM 1001) known to Landfall. It is kept as information.',
  ]);
  expect(reasons(read('CODECO', 'BGM++1+9', unit('3', '5')))).toEqual([
    'BGM message_refused: BGM has no document name (1001).',
  ]);
  expect(reasons(read('COARRI', 'BGM+98+1+1', unit('3', '5')))[0]).toContain('The message cancels an earlier one');
  expect(reasons(read('COARRI', 'BGM+98+1+9'))).toEqual(['BGM message_refused: The message names no container (EQD).']);
});

test('a terminal that sends nothing else states all moves that free time counts by', () => {
  const eqd = (status: string, fullness: string, time: string, place: string) => [
    unit(status, fullness),
    `DTM+7:${time}:203`,
    `LOC+165+${place}`,
  ];
  const messages = [
    read('CODECO', 'BGM+36+1+9', ...eqd('2', '4', '202603010900', 'CNSHA')),
    read('CODECO', 'BGM+34+2+9', ...eqd('2', '5', '202603030900', 'CNSHA')),
    read('COARRI', 'BGM+46+3+9', voyage, ...eqd('2', '5', '202603050900', 'CNSHA')),
    read('COARRI', 'BGM+98+4+9', voyage, ...eqd('3', '5', '202604050900', 'NLRTM')),
    read('CODECO', 'BGM+36+5+9', ...eqd('3', '5', '202604090900', 'NLRTM')),
    read('CODECO', 'BGM+34+6+9', ...eqd('3', '4', '202604120900', 'NLRTM')),
  ];
  const events = messages.flatMap(({ events }) =>
    events.flatMap(({ row }) => {
      const result = readEventRow({ ...row, sourceName: 'a' }, nowMs);
      return 'event' in result && result.event !== null ? [result.event] : [];
    }),
  );
  const stored = mergeReading([], { events, source: 'client' }, nowMs).events;
  const { status, containers } = composeJourney({ events: stored, transportMode: 'ocean' }, nowMs);
  const days = Object.entries(containers[0]?.freeTime?.facts?.milestones ?? {}).map(([name, at]) => [
    name,
    at?.time.local.slice(0, 10),
  ]);
  expect(status).toBe('delivered');
  expect(days).toEqual([
    ['emptyOut', '2026-03-01'],
    ['fullIn', '2026-03-03'],
    ['loaded', '2026-03-05'],
    ['discharged', '2026-04-05'],
    ['fullOut', '2026-04-09'],
    ['emptyIn', '2026-04-12'],
  ]);
});
