import { expect, test } from 'vitest';
import { readEventRow } from '#shared/core/events-in/read-event-row.ts';
import type { EdiEvent } from '#shared/edi/edi-reading.ts';
import { readEdifact } from '#shared/edi/edifact/read-edifact.ts';
import { readX12 } from '#shared/edi/x12/read-x12.ts';
import { onlyMessage, readAll } from './read-all.ts';

const nowMs = Date.UTC(2026, 3, 20);

/** A 214 or 315 of these segments. */
function x12(type: string, ...body: string[]) {
  const isa =
    'ISA*00*          *00*          *ZZ*ACMELINE       *ZZ*EXAMPLE        *260415*0930*U*00401*000000041*0*P*>~';
  const lines = [`ST*${type}*0001`, ...body, `SE*${body.length + 2}*0001`].join('~');
  return onlyMessage(readAll(readX12(`${isa}GS*QM*A*B*20260415*0930*41*X*004010~${lines}~GE*1*41~IEA*1*000000041~`)));
}

/** An IFTSTA of these segments. */
function iftsta(...body: string[]) {
  const lines = ['UNH+1+IFTSTA:D:95B:UN', ...body, `UNT+${body.length + 2}+1`].join("'");
  return onlyMessage(readAll(readEdifact(`UNB+UNOC:3+SENDER+ACME+260415:0930+7'${lines}'UNZ+1+7'`)));
}

const reasons = ({ faults }: ReturnType<typeof x12>) => faults.map(({ reason, effect }) => `${effect}: ${reason}`);
const codes = ({ events }: { events: readonly EdiEvent[] }) =>
  events.map(({ row }) => [row.classifier, row.code, row.sourceCode]);

test.each([
  ['315', x12('315', 'B4***QX*20260414*2210**MSCU*473000*L*4500*HKHKG*UN*9', 'R4*D*UN*USLAX', 'DTM*139*20260502*0600')],
  [
    '322',
    x12(
      '322',
      'Q5*QX*20260414*2210*ET',
      'N7*MSCU*473000',
      'DTM*371*20260502*0600*ET',
      'R4*5*UN*USCHI',
      'R4*7*UN*USLAX',
    ),
  ],
])('a %s with an unlisted code is kept as information, and so are its expected times', (_type, message) => {
  expect(codes(message).map(([, code]) => code)).toEqual(['other', expect.stringContaining('arrived')]);
  expect(message.events[0]?.row.sourceCode).toBe('QX');
  expect(reasons(message)).toEqual([
    'note: QX is not a shipment status code known to Landfall. It is kept as information.',
  ]);
});

test('unlisted codes of a 214 and an IFTSTA are kept as information, those of days to come as planned', () => {
  const carrier = x12(
    '214',
    'B10*PRO1*LOAD1*ABCD',
    'AT7*QX*NS***20260414*0800*ET',
    'AT7*QX*NS***20260520*0800*ET',
    'AT7***QY*NA*20260416*0800*ET',
  );
  expect(codes(carrier)).toEqual([
    ['actual', 'other', 'QX'],
    ['planned', 'other', 'QX'],
    ['planned', 'other', 'QY'],
  ]);
  const transport = iftsta(
    'BGM+23+1+9',
    'CNI+1',
    'STS+1+199',
    'RFF+BM:BL1',
    'DTM+334:202604142210:203',
    'LOC+175+DEHAM',
  );
  expect(codes(transport)).toEqual([['actual', 'other', '199']]);
});

test.each(['OB', 'MB', 'BM'])('a bill of lading by the qualifier %s is read', (qualifier) => {
  const { events } = x12('315', 'B4***VD*20260414*2210****L**HKHKG*UN', `N9*${qualifier}*BL1`);
  expect(events[0]?.row.targets[0]).toMatchObject({ numbers: [{ key: 'mbl', value: 'BL1' }] });
});

test('a delivery keeps the shortage that it was made with', () => {
  const { events } = x12('214', 'B10*PRO1*LOAD1*ABCD', 'AT7*D1*S1***20260414*0800*ET', 'MS1*ATLANTA*GA*US');
  expect(events[0]?.row).toMatchObject({
    code: 'delivered',
    sourceWords: 'Completed unloading at delivery location: Delivery shortage',
  });
  const read = readEventRow({ ...(events[0]?.row as EdiEvent['row']), sourceName: 'a' }, nowMs);
  expect(read).toMatchObject({ event: { details: { statusDetail: 'missing_pieces' } } });
});

test('the limits of a delivery make its window', () => {
  const { events } = x12(
    '214',
    'B10*PRO1*LOAD1*ABCD',
    'LX*1',
    'AT7***ED*NA*20260421*0800*ET',
    'MS1*ATLANTA*GA*US',
    'AT7***LD*NA*20260421*1200*ET',
    'MS1*ATLANTA*GA*US',
  );
  expect(codes({ events })).toEqual([
    ['planned', 'other', 'ED'],
    ['planned', 'delivered', 'LD'],
  ]);
  const read = readEventRow({ ...(events[1]?.row as EdiEvent['row']), sourceName: 'a' }, nowMs);
  expect(read).toMatchObject({
    event: {
      details: { window: { from: { at: '2026-04-21T12:00:00.000Z' }, to: { at: '2026-04-21T16:00:00.000Z' } } },
    },
  });
});

test('a time in UTC is shown in the zone of its place', () => {
  const { events } = x12('214', 'B10*PRO1*LOAD1*ABCD', 'AT7*X4*NS***20260414*1430*UT', 'MS1*AURORA*IL*US');
  const read = readEventRow({ ...(events[0]?.row as EdiEvent['row']), sourceName: 'a' }, nowMs);
  expect(read).toMatchObject({
    event: { time: { at: '2026-04-14T14:30:00.000Z', local: '2026-04-14T09:30', timezone: 'America/Chicago' } },
  });
});

const status = (sts: string, ...more: string[]) =>
  iftsta('BGM+23+1+9', 'CNI+1', sts, 'RFF+BM:BL1', 'DTM+334:202604142210:203', ...more, 'LOC+14+DEHAM');

test.each([
  ['STS+21::6', 'delivered'],
  ['STS+21', 'delivered'],
  ['STS+VD', 'departed'],
])('a status in the place of its category (C601) is read: %s', (sts, code) => {
  expect(codes(status(sts))).toEqual([['actual', code, sts.slice(4).split(':')[0]]]);
});

test('a category without a status is refused by the name of its element', () => {
  expect(reasons(status('STS+1'))).toEqual([
    'message_refused: STS has no status code in C555 (4405). 1 in C601 is a category (9015), or of a list that is not known.',
  ]);
  expect(reasons(status('STS+21:ZZZ'))[0]).toContain('1 in C601 is a category');
});

test.each(['21::86', '21::87', '21::91', '21::92', '21:ZZZ', '21::ZZZ'])(
  'the private code %s is not read as a public one',
  (code) => {
    expect(reasons(status(`STS+1+${code}`))).toEqual([
      "message_refused: 21 is of the sender's own list, and the message doesn't define it.",
    ]);
    const [value, list = '', agency = ''] = code.split(':');
    const worded = status(`STS+1+${value}:${list}:${agency}:LOADED ON TRUCK`);
    expect(worded.events.map(({ row }) => [row.code, row.sourceCode, row.sourceWords])).toEqual([
      ['other', '21', 'LOADED ON TRUCK'],
    ]);
  },
);

test('the construction country (LOC 165) is no place of a status', () => {
  for (const code of ['18', '88', '13'])
    expect(
      iftsta(
        'BGM+23+1+9',
        'CNI+1',
        'STS+1+21',
        'RFF+BM:BL1',
        'DTM+334:202604142210:203',
        'LOC+165+CNSHA',
        `LOC+${code}+DEHAM`,
      ).events[0]?.row.location?.unlocode,
    ).toBe('DEHAM');
  const alone = iftsta('BGM+23+1+9', 'CNI+1', 'STS+1+21', 'RFF+BM:BL1', 'DTM+334:202604142210:203', 'LOC+165+CNSHA');
  expect(alone.events[0]?.row.location).toBeNull();
});

test('all five components of a free text are kept', () => {
  expect(status('STS+1+21', 'FTX+AAI+++LEFT AT:GATE 4: WITH THE:GUARD:A. B.').events[0]?.row.sourceWords).toBe(
    'Delivered: LEFT AT GATE 4 WITH THE GUARD A. B.',
  );
});

test.each(['1', '3', '17', '50', '53'])('a message of the function %s states no facts', (code) => {
  const { events, faults } = iftsta(
    `BGM+23+1+${code}`,
    'CNI+1',
    'STS+1+21',
    'RFF+BM:BL1',
    'DTM+334:202604142210:203',
    'LOC+14+DEHAM',
  );
  expect(events).toEqual([]);
  expect(faults).toEqual([expect.objectContaining({ tag: 'BGM', effect: 'message_refused' })]);
});

test.each([
  ['R4*5*D*2704*LOS ANGELES*US***CA', 'USLAX'],
  ['R4*5*D*2704', 'USLAX'],
  ['R4*5*D*1703*SAVANNAH', 'USSAV'],
  ['R4*5*K*57035', 'CNSHA'],
  ['R4*5*D*4601', 'USNYC'],
  ['R4*5*D*9999*TACOMA*US***WA', 'USTIW'],
  ['R4*5*K*42157*ROTTERDAM*NL', 'NLRTM'],
  ['R4*5*K*58201*HONG KONG*HK', 'HKHKG'],
])('a port by Schedule D or K is that of its UN/LOCODE: %s', (port, unlocode) => {
  const { events, faults } = x12('315', 'B4***UV*20260414*2210**MSCU*473000*L*4500', 'N9*BM*BL1', port);
  expect([events[0]?.row.location?.unlocode, faults]).toEqual([unlocode, []]);
});

test('a port by Schedule D or K whose name several have is kept by its name', () => {
  const { events } = x12('315', 'B4***UV*20260414*2210**MSCU*473000*L*4500', 'N9*BM*BL1', 'R4*5*D*9999*PORTLAND*US');
  expect(events[0]?.row.location).toMatchObject({ unlocode: null, name: 'PORTLAND' });
});

test('a status of a list with letters is of the sender’s own list, and no event', () => {
  const message = iftsta(
    'BGM+23+1+9',
    'CNI+1',
    'STS+1:D2:21',
    'RFF+BM:BL1',
    'DTM+334:202604142210:203',
    'LOC+175+DEHAM:139:6',
  );
  expect(message.events).toEqual([]);
  expect(reasons(message).join()).toContain('STS has no status code in C555');
});
