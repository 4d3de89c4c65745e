import { expect, test } from 'vitest';
import { undecodable } from '#shared/domain/events-in/undecodable.ts';
import { decodeEdi } from '#shared/edi/decode-edi.ts';
import { readEdifact } from '#shared/edi/edifact/read-edifact.ts';
import { encodeText } from '#test/support/edi/encode-text.ts';
import { readAll } from './read-all.ts';

const iftsta = (repertoire: string, place: string, control = '1') =>
  `UNB+${repertoire}:3+SENDER+ACME+260415:0930+${control}'UNH+1+IFTSTA:D:95B:UN'BGM+23+1+9'CNI+1'STS+1+21'RFF+BM:BL1'` +
  `DTM+334:202604142210:203'LOC+175+DEHAM:139:6:${place}'UNT+8+1'UNZ+1+${control}'`;

const textOf = (bytes: Uint8Array, charset: string | null = null) => decodeEdi(bytes, charset);
const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
const utf8 = (text: string) => new TextEncoder().encode(text);

test.each([
  ['UNOA', 'windows-1252', 'KÖHLBRAND'],
  ['UNOB', 'windows-1252', 'KÖHLBRAND'],
  ['UNOC', 'iso-8859-1', 'KÖHLBRAND'],
  ['UNOD', 'iso-8859-2', 'GDAŃSK PÓŁNOCNY'],
  ['UNOE', 'iso-8859-5', 'САНКТ-ПЕТЕРБУРГ ТА'],
  ['UNOF', 'iso-8859-7', 'ΠΕΙΡΑΙΑΣ'],
  ['UNOG', 'iso-8859-3', 'ĦAL FAR'],
  ['UNOH', 'iso-8859-4', 'RĪGA'],
  ['UNOI', 'iso-8859-6', 'جدة'],
  ['UNOJ', 'iso-8859-8', 'חיפה'],
  ['UNOK', 'iso-8859-9', 'İZMİR ŞİRKETİ'],
  ['UNOW', 'utf-8', '上海 GDAŃSK'],
  ['UNOY', 'utf-8', '上海'],
])('reads %s', (repertoire, encoding, place) => {
  const text = iftsta(repertoire, place);
  expect(textOf(encodeText(text, encoding))).toBe(text);
});

test('reads two interchanges of one body in the repertoire of each, also where lines are wrapped', () => {
  const [first, second] = [iftsta('UNOD', 'GDAŃSK'), iftsta('UNOE', 'САНКТ-ПЕТЕРБУРГ', '2').replace('UNB', 'U\r\nNB')];
  const bytes = join(encodeText(first, 'iso-8859-2'), encodeText(`UNA:+.? '${second}`, 'iso-8859-5'));
  expect(textOf(bytes)).toBe(`${first}UNA:+.? '${second}`);
});

test('a file that was converted to UTF-8 on its way is read as UTF-8', () => {
  for (const repertoire of ['UNOA', 'UNOC', 'UNOE']) {
    const text = iftsta(repertoire, 'САНКТ-ПЕТЕРБУРГ');
    expect(textOf(utf8(text))).toBe(text);
  }
});

test('the character set of the request counts where the bytes can be in it', () => {
  const text = iftsta('UNOC', 'GDAŃSK');
  expect(textOf(encodeText(text, 'iso-8859-2'), 'ISO-8859-2')).toBe(text);
  const greek = iftsta('UNOF', 'ΠΕΙΡΑΙΑΣ');
  expect(textOf(utf8(greek), 'utf-8')).toBe(greek);
  expect(textOf(encodeText(greek, 'iso-8859-7'), 'utf-8')).toBe(greek);
  expect(textOf(encodeText(greek, 'iso-8859-7'), 'no-such-set')).toBe(greek);
});

test.each(['us-ascii', 'ISO-8859-1'])('the repertoire of the header counts more than %s of the request', (charset) => {
  const text = iftsta('UNOD', 'GDAŃSK');
  expect(textOf(encodeText(text, 'iso-8859-2'), charset)).toBe(text);
  const latin = iftsta('UNOC', 'KÖHLBRAND');
  expect(textOf(encodeText(latin, 'iso-8859-1'), charset)).toBe(latin);
});

test('reads UTF-16 by its mark, and without one', () => {
  const text = iftsta('UNOY', 'GDAŃSK');
  const little = new Uint8Array(Buffer.from(text, 'utf16le'));
  const big = little.map((_, index) => little[index ^ 1] ?? 0);
  for (const bytes of [
    little,
    big,
    join(new Uint8Array([0xff, 0xfe]), little),
    join(new Uint8Array([0xfe, 0xff]), big),
  ])
    expect(textOf(bytes).replace('\uFEFF', '')).toBe(text);
});

test('a message with bytes that its repertoire does not have is refused, and the others are read', () => {
  const spoilt = encodeText(iftsta('UNOE', 'PORT'), 'iso-8859-5').map((byte, index, all) =>
    index === Buffer.from(all).indexOf('PORT') ? 0x85 : byte,
  );
  const text = textOf(join(spoilt, encodeText(iftsta('UNOD', 'GDAŃSK', '2'), 'iso-8859-2')));
  expect(text).toContain(`${undecodable}ORT`);
  const { interchanges } = readAll(readEdifact(text));
  expect(interchanges.map(({ messages }) => messages.map(({ events, faults }) => [events.length, faults]))).toEqual([
    [
      [
        0,
        [
          {
            segment: 7,
            tag: 'LOC',
            reason: 'The segment has bytes that are not in the character set of its interchange.',
            effect: 'message_refused',
          },
        ],
      ],
    ],
    [[1, []]],
  ]);
});
