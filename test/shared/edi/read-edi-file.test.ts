import { expect, test } from 'vitest';
import type { EdiInterchange, EdiMessage } from '#shared/edi/edi-reading.ts';
import { type EdiFile, readEdiFile } from '#shared/edi/read-edi-file.ts';
import { readX12 } from '#shared/edi/x12/read-x12.ts';
import { readAll } from './read-all.ts';

const message = (control: string, code = 'VD') =>
  `ST*315*${control}~B4***${code}*20260414*2210*HKHKG*MSCU*473000*L*4500*HKHKG*UN*9~N9*BM*MAEU123456789~SE*4*${control}~`;
/** `stated`: the number of messages in its end. */
const group = (messages: string[], stated = messages.length) =>
  `GS*QO*A*B*20260415*0930*41*X*004010~${messages.join('')}GE*${stated}*41~`;
const interchange = (groups: string[], stated = groups.length) =>
  'ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *260415*0930*U*00401*000000041*0*P*>~' +
  `${groups.join('')}IEA*${stated}*000000041~`;
const many = (count: number) => Array.from({ length: count }, (_, at) => message(`${at + 1}`));

function partsOf(text: string) {
  const file: EdiFile = { format: 'x12', bytes: new TextEncoder().encode(text), charset: null, nowMs: 0 };
  const parts = [...readEdiFile(file)].filter((part) => part !== undefined);
  const messages: EdiMessage[][] = [];
  const interchanges: (Omit<EdiInterchange, 'messages'> & { messages: number })[] = [];
  for (const part of parts) {
    if (part.kind === 'messages') messages.push([...part.messages]);
    else interchanges.push(...part.interchanges);
  }
  return { interchanges, messages };
}

test.each([
  ['small', 2],
  ['large', 400],
])('passes on the messages of a %s file in parts, as its envelopes leave them', (_size, count) => {
  const text =
    interchange([group(many(count)), group([...many(count), message('x', '')], 1)]) +
    interchange([group(many(1))], 7) +
    interchange([group([message('1', ''), ...many(count)])]);
  const whole = readAll(readX12(text)).interchanges;
  const { interchanges, messages } = partsOf(text);
  expect(interchanges).toEqual(whole.map((each) => ({ ...each, messages: each.messages.length })));
  expect(messages.flat()).toEqual(whole.flatMap((each) => each.messages));
  expect(Math.max(...messages.map((part) => part.length))).toBeLessThanOrEqual(200);
  expect(whole.map((each) => each.messages.filter(({ events }) => events.length > 0).length)).toEqual([
    count,
    0,
    count,
  ]);
});

test('passes on no message of a file that cannot be read', () => {
  expect(() => partsOf(`${interchange([group(many(400))])}N9*BM*1~`)).toThrow(/segment \d+/);
});
