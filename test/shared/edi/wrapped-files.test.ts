import { expect, test } from 'vitest';
import type { EdiReading } from '#shared/edi/edi-reading.ts';
import { readEdifact } from '#shared/edi/edifact/read-edifact.ts';
import { readX12 } from '#shared/edi/x12/read-x12.ts';
import { wrapLines } from '#test/support/edi/wrap-lines.ts';
import { oceanStatus, ownList, parcelStatus, railDeparture, rampArrival } from './published-messages.ts';
import { onlyMessage, readAll } from './read-all.ts';

/** All that a file says but its text. */
function statedIn({ interchanges, faults }: EdiReading) {
  return {
    faults,
    interchanges: interchanges.map(({ messages, ...interchange }) => ({
      ...interchange,
      messages: messages.map(({ events, ...message }) => ({
        ...message,
        events: events.map(({ row: { raw: _, ...row }, ...event }) => ({ ...event, row })),
      })),
    })),
  };
}

const isa = (control: string) =>
  `ISA*00*          *00*          *ZZ*ACMELINE       *ZZ*EXAMPLE        *260415*0930*U*00401*${control}*0*P*>~`;
const carrierStatus =
  `${isa('000000041')}GS*QM*ACMELINE*EXAMPLE*20260415*0930*41*X*004010~ST*214*0001~B10*PRO1*LOAD1*ABCD~LX*1~` +
  'AT7*AF*NS***20260414*0800*ET~MS1*NEWARK*NJ*US~AT7*X1*NS***20260415*0700*ET~MS1*ATLANTA*GA*US~' +
  'AT7*D1*NS***20260415*0800*ET~MS1*ATLANTA*GA*US~SE*10*0001~GE*1*41~IEA*1*000000041~';

const widths = Array.from({ length: 132 - 60 + 1 }, (_, index) => 60 + index);

test.each<[name: string, text: string, read: (text: string) => Generator<unknown, EdiReading>]>([
  ['a 214', carrierStatus, readX12],
  ['a 315', oceanStatus, readX12],
  ['a 322', rampArrival, readX12],
  ['two interchanges of X12', carrierStatus + oceanStatus, readX12],
  ['an IFTSTA', railDeparture, readEdifact],
  ['an IFTSTA with UNA', ownList, readEdifact],
  ['two interchanges of EDIFACT, the second with UNA', railDeparture + ownList, readEdifact],
])('reads %s at every width of its lines as in one line', (_name, text, read) => {
  const whole = statedIn(readAll(read(wrapLines(text, text.length))));
  expect(whole.interchanges[0]?.messages[0]?.events.length).toBeGreaterThan(0);
  for (const width of widths)
    for (const lineBreak of ['\r\n', '\n', '\r'])
      expect(statedIn(readAll(read(wrapLines(text, width, lineBreak))))).toEqual(whole);
});

test('keeps a line break that is the terminator', () => {
  for (const lineBreak of ['\n', '\r\n', '\r']) {
    const { interchanges } = readAll(readX12(parcelStatus.replaceAll('\n', lineBreak)));
    expect(interchanges[0]?.messages.map(({ events }) => events.length)).toEqual([1, 1]);
  }
  const lines = ownList.replace("UNA:+.? '", 'UNA:+.? \n').replaceAll("'", '\n');
  expect(onlyMessage(readAll(readEdifact(lines))).events).toHaveLength(1);
});

test('reads a tag and a place that a line break divides', () => {
  const { events, faults } = onlyMessage(
    readAll(readX12(carrierStatus.replace('AT7*D1', 'A\r\nT7*D1').replaceAll('ATLANTA', 'ATLA\r\nNTA'))),
  );
  expect(events.map(({ row }) => [row.code, row.location?.name])).toEqual([
    ['picked_up', 'NEWARK, NJ'],
    ['arrived_at_facility', 'ATLANTA, GA'],
    ['delivered', 'ATLANTA, GA'],
  ]);
  expect(faults).toEqual([]);
});

test('a release character holds across a line break', () => {
  const text = ownList.replace('DELIVERED', "DELIVERED?'S?\r\n'");
  expect(onlyMessage(readAll(readEdifact(text))).events[0]?.row.sourceWords).toBe("DELIVERED'S'");
});

test.each([
  ['X12', readX12, carrierStatus.replace('AT7*D1', 'A7T*D1'), 'A7T'],
  ['X12', readX12, carrierStatus.replace('MS1*NEWARK', 'S1M*NEWARK'), 'S1M'],
  ['EDIFACT', readEdifact, ownList.replace('LOC+14', 'LCO+14'), 'LCO'],
])('names the unknown segment of %s', (_name, read, text, tag) => {
  const { faults } = onlyMessage(readAll(read(text)));
  expect(faults).toEqual([
    expect.objectContaining({ tag, reason: `${tag} is not a segment of the standard.`, effect: 'segment_left_out' }),
  ]);
});

const iftsta = (control: string, place: string) =>
  `UNB+UNOC:3+SENDER+ACME+260415:0930+${control}'UNH+1+IFTSTA:D:95B:UN'BGM+23+1+9'CNI+1'STS+1+21'RFF+BM:BL1'` +
  `DTM+334:202604142210:203'LOC+175+DEHAM:139:6:${place}'UNT+8+1'UNZ+1+${control}'`;
/** The same with other separators. */
const stated = (text: string) => `UNA;|.? '${text.replace(/[:+]/g, (each) => (each === ':' ? ';' : '|'))}`;
const levelB = (text: string) =>
  text
    .replace('UNOC', 'UNOB')
    .replace(/[:+']/g, (each) => (each === ':' ? '\u001F' : each === '+' ? '\u001D' : '\u001C'));

test.each([
  ['the first', stated(iftsta('1', 'ALTONA')) + iftsta('2', 'ALTONA')],
  ['the second', iftsta('1', 'ALTONA') + stated(iftsta('2', 'ALTONA'))],
  ['both', stated(iftsta('1', 'ALTONA')) + stated(iftsta('2', 'ALTONA'))],
  ['neither, at level B', levelB(iftsta('1', 'ALTONA')) + levelB(iftsta('2', 'ALTONA'))],
  ['the second after one of level B', levelB(iftsta('1', 'ALTONA')) + stated(iftsta('2', 'ALTONA'))],
])('the separators of UNA hold for one interchange: %s has it', (_name, text) => {
  const { interchanges, faults } = readAll(readEdifact(text));
  expect(faults).toEqual([]);
  expect(
    interchanges.map(({ control, messages }) => [control, messages.map(({ events }) => events[0]?.row.location?.name)]),
  ).toEqual([
    ['1', ['ALTONA']],
    ['2', ['ALTONA']],
  ]);
});
