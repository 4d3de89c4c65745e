import Parser from 'edifact/parser.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { X12parser } from 'x12-parser';
import { cutEdifact } from '#shared/edi/edifact/cut-edifact.ts';
import { cutX12 } from '#shared/edi/x12/cut-x12.ts';
import { runs } from '#test/support/run-scale.ts';
import * as published from './published-messages.ts';

type Cut = { tag: string; elements: string[][] };

/** Without the blanks that pad the header: the other parser removes them. */
const oursOfX12 = (text: string): Cut[] =>
  [...cutX12(text)].map(({ tag, elements }) => ({ tag, elements: elements.map(([each = '']) => [each.trim()]) }));

const oursOfEdifact = (text: string): Cut[] =>
  [...cutEdifact(text)].map(({ tag, elements }) => ({ tag, elements: elements.map((each) => [...each]) }));

/** Returns the segments that npm's `x12-parser` cuts. */
async function evaluateX12(text: string): Promise<Cut[]> {
  const parser = new X12parser();
  parser.end(text);
  const all: Record<string, string>[] = await parser.toArray();
  // It makes a segment of a line break at the end.
  const segments = all.filter(({ name }) => name !== '');
  return segments.map(({ name = '', ...elements }) => ({
    tag: name,
    elements: Object.values(elements).map((each) => [each]),
  }));
}

/** Returns the segments that npm's `edifact` cuts. */
function evaluateEdifact(text: string): Cut[] {
  const cut: Cut[] = [];
  const parser = new Parser();
  parser.encoding('UNOC');
  parser.on('opensegment', (tag: string) => void cut.push({ tag, elements: [] }));
  parser.on('element', () => void cut.at(-1)?.elements.push([]));
  parser.on('component', (written: string) => void cut.at(-1)?.elements.at(-1)?.push(written));
  parser.write(text);
  parser.end();
  return cut;
}

const words = fc.stringMatching(/^[A-Z0-9 .,()/-]{0,12}$/).filter((word) => word.trim() === word);
const tags = fc.stringMatching(/^[A-Z][A-Z0-9]{1,2}$/).filter((tag) => !/^(ISA|GS|ST|SE|GE|IEA|UN.)$/.test(tag));

test('cuts X12 as another parser does, for any content of the elements', async () => {
  const body = fc.array(fc.tuple(tags, fc.array(words, { minLength: 1, maxLength: 8 })), {
    minLength: 1,
    maxLength: 10,
  });
  const separators = fc.constantFrom(['*', '~'], ['|', '~'], ['*', '\n'], ['+', "'"]);
  await fc.assert(
    fc.asyncProperty(
      body,
      separators,
      fc.constantFrom('', '\n', '\r\n'),
      async (segments, [element = '*', end = '~'], gap) => {
        const lines = [
          [
            'ISA',
            '00',
            ' '.repeat(10),
            '00',
            ' '.repeat(10),
            'ZZ',
            'SENDER'.padEnd(15),
            'ZZ',
            'RECEIVER'.padEnd(15),
            '260415',
            '0930',
            'U',
            '00401',
            '000000041',
            '0',
            'P',
            '>',
          ],
          ['GS', 'QO', 'SENDER', 'RECEIVER', '20260415', '0930', '41', 'X', '004010'],
          ['ST', '315', '0001'],
          ...segments.map(([tag, elements]) => [tag, ...elements]),
          ['SE', String(segments.length + 2), '0001'],
          ['GE', '1', '41'],
          ['IEA', '1', '000000041'],
        ];
        const text = lines.map((line) => line.join(element) + end + gap).join('');
        expect(oursOfX12(text)).toEqual(await evaluateX12(text));
      },
    ),
    { numRuns: runs(1000) },
  );
});

test('cuts EDIFACT as another parser does, for any content and release characters', () => {
  const component = fc.stringMatching(/^[A-Z0-9 .,()/='+:?-]{0,12}$/);
  const segment = fc.tuple(
    fc.stringMatching(/^[A-Z]{3}$/),
    fc.array(fc.array(component, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
  );
  const released = (text: string) => text.replace(/['+:?]/g, '?$&');
  fc.assert(
    fc.property(
      fc.array(segment, { minLength: 1, maxLength: 12 }),
      fc.constantFrom('', '\n'),
      fc.boolean(),
      (segments, gap, withUna) => {
        const all = segments.filter(([tag]) => tag !== 'UNA');
        const lines = all.map(
          ([tag, elements]) => `${[tag, ...elements.map((parts) => parts.map(released).join(':'))].join('+')}'${gap}`,
        );
        const text = `${withUna ? "UNA:+.? '" : ''}${lines.join('')}`;
        if (all.length === 0) return;
        expect(oursOfEdifact(text)).toEqual(evaluateEdifact(text));
      },
    ),
    { numRuns: runs(1000) },
  );
});

test('cuts published messages as other parsers do', async () => {
  const { oceanStatus, railDeparture, ownList } = published;
  expect(oursOfX12(oceanStatus)).toEqual(await evaluateX12(oceanStatus));
  for (const text of [railDeparture, ownList]) expect(oursOfEdifact(text)).toEqual(evaluateEdifact(text));
});

test('reports the position of each segment', () => {
  const text = published.oceanStatus;
  for (const { tag, from, to } of cutX12(text)) {
    expect(text.slice(from, to).startsWith(tag)).toBe(true);
    expect(text.charAt(to)).toBe('~');
  }
});
