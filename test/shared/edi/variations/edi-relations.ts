import { encodeText } from '#test/support/edi/encode-text.ts';
import { wrapLines } from '#test/support/edi/wrap-lines.ts';
import type { EdiFixture } from './edi-fixtures.ts';
import { type EdiOutcome, type EdiRelation, lostAndAdded, nothingChanges, statedBy } from './edi-relation.ts';
import { forms } from './other-forms.ts';

const widths = Array.from({ length: 132 - 60 + 1 }, (_, index) => 60 + index);

/** The repertoires of UNB (ISO 9735, element 0001) with a word in letters of each. */
const repertoires = [
  ['A', 'windows-1252', 'KOEHLBRAND'],
  ['B', 'windows-1252', 'Koehlbrand'],
  ['C', 'iso-8859-1', 'KÖHLBRAND'],
  ['D', 'iso-8859-2', 'GDAŃSK PÓŁNOCNY'],
  ['E', 'iso-8859-5', 'САНКТ-ПЕТЕРБУРГ'],
  ['F', 'iso-8859-7', 'ΠΕΙΡΑΙΑΣ'],
  ['G', 'iso-8859-3', 'ĦAL FAR'],
  ['H', 'iso-8859-4', 'RĪGA'],
  ['I', 'iso-8859-6', 'جدة'],
  ['J', 'iso-8859-8', 'חיפה'],
  ['K', 'iso-8859-9', 'İZMİR'],
  ['W', 'utf-8', '上海'],
  ['Y', 'utf-8', '上海'],
] as const;

/** The file with a word as the name of its first place, in a repertoire. */
function named(text: string, repertoire: string, word: string): string {
  return text.replace(/UNO[A-Z]/, `UNO${repertoire}`).replace(/(\+\w{5}:\d{3}:\d?)(:[^'+:]*)?(?=['+])/, `$1:${word}`);
}

export const ediRelations: readonly EdiRelation[] = [
  {
    name: 'wrapped at every width from 60 to 132',
    holds: 'the reading is the same',
    variants: ({ format, text }) =>
      format === 'cargo_imp' || !/[~']/.test(text)
        ? []
        : ['\r\n', '\n', '\r'].flatMap((lineBreak) => widths.map((width) => wrapLines(text, width, lineBreak))),
    violations: nothingChanges,
  },
  {
    name: 'one segment a line',
    holds: 'the reading is the same',
    variants: ({ format, text }) =>
      format === 'cargo_imp'
        ? []
        : ['\r\n', '\n', ''].map((lineBreak) => bare(text).replace(/(?<!\?)[~'](?!$)/g, `$&${lineBreak}`)),
    violations: nothingChanges,
  },
  ...repertoires.map(
    ([repertoire, encoding, word]): EdiRelation => ({
      name: `recoded in UNO${repertoire}`,
      holds: 'the reading is that of the same text in UTF-8',
      base: ({ text }) => named(text, 'Y', word),
      variants: ({ format, text }) =>
        format === 'edifact' ? [encodeText(named(text, repertoire, word), encoding)] : [],
      violations: nothingChanges,
    }),
  ),
  {
    name: 'recoded in UTF-16',
    holds: 'the reading is the same',
    variants: ({ text }) => [new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'))],
    violations: nothingChanges,
  },
  {
    name: 'with UNA and without',
    holds: 'the reading is the same',
    variants: ({ format, text }) =>
      format === 'edifact' ? [text.startsWith('UNA') ? text.slice(9) : `UNA:+.? '${text}`] : [],
    violations: nothingChanges,
  },
  {
    name: 'other separators',
    holds: 'the reading is the same',
    variants: withOtherSeparators,
    violations: nothingChanges,
  },
  {
    name: 'empty elements at the end of a segment',
    holds: 'the reading is the same',
    variants: withEmptyEnds,
    violations: nothingChanges,
  },
  {
    name: 'two interchanges in one body',
    holds: 'each is read as alone, in either order',
    variants: ({ format, text }) => forms[format].flatMap((other) => [`${text}${other}`, `${other}${text}`]),
    violations: (before, after, { format }) => {
      // Cargo-IMP has no interchanges: the messages of a body are in one.
      const own = format === 'cargo_imp' ? { ...before, interchanges: [] } : before;
      const alone = statedBy(own, { isMoved: true });
      const both = statedBy(after, { isMoved: true });
      return alone
        .filter((line) => !both.includes(line))
        .map((line) => `− ${line}`)
        .concat(
          format !== 'cargo_imp' && after.interchanges.length !== before.interchanges.length + 1
            ? ['not one interchange more']
            : [],
        );
    },
  },
  {
    name: 'messages in another order',
    holds: 'the readings of the messages are the same',
    variants: ({ format, text }) => (format === 'cargo_imp' ? [] : [reversedMessages(text)]),
    violations: (before, after) =>
      lostAndAdded(statedBy(before, { isMoved: true }).sort(), statedBy(after, { isMoved: true }).sort()),
  },
  {
    name: 'an unknown segment',
    holds: 'the events are the same, and a fault names the segment',
    variants: ({ format, text }) => (format === 'cargo_imp' ? [] : [withUnknownSegment(text)]),
    violations: (before, after) => {
      const events = ({ messages }: EdiOutcome) =>
        messages.flatMap((message) => message.events.map(({ row: { raw: _, ...row } }) => JSON.stringify(row)));
      const isSaid = after.messages.some(({ faults }) => faults.some(({ tag }) => tag === 'QQQ'));
      return [...lostAndAdded(events(before), events(after)), ...(isSaid ? [] : ['the segment is not named'])];
    },
  },
];

function bare(text: string): string {
  return /[~']\s*$/.test(text) ? text.replace(/[\r\n]/g, '') : text;
}

function withOtherSeparators({ format, text }: EdiFixture): string[] {
  const isX12 = format === 'x12';
  const pairs: readonly (readonly [string, string])[] = isX12
    ? [
        ['*', '|'],
        ['~', '!'],
        ['>', '^'],
      ]
    : [
        [':', ';'],
        ['+', '|'],
        ["'", '!'],
      ];
  const isPossible =
    format !== 'cargo_imp' && /[~']\s*$/.test(text) && !/[|!^;]/.test(text) && (isX12 || !/\?/.test(text.slice(9)));
  if (!isPossible) return [];
  const plain = !isX12 && text.startsWith('UNA') ? text.slice(9) : text;
  const changed = [...plain].map((each) => pairs.find(([from]) => from === each)?.[1] ?? each).join('');
  return [isX12 ? changed : `UNA;|.? !${changed}`];
}

/** Segments of the envelope, whose elements are all fixed. */
const fixed = /^(ISA|GS|ST|SE|GE|IEA|UNA|UNB|UNG|UNH|UNT|UNE|UNZ)/;

function withEmptyEnds({ format, text }: EdiFixture): string[] {
  if (format === 'cargo_imp') return [];
  const { element, terminator } =
    format === 'x12' ? { element: '*', terminator: /(?<=[~\n])/ } : { element: '+', terminator: /(?<=(?<!\?)')/ };
  return [
    text
      .split(terminator)
      .map((segment) =>
        segment.trim() === '' || fixed.test(segment.trim())
          ? segment
          : segment.replace(/[~'\n]$/, (end) => `${element}${element}${end}`),
      )
      .join(''),
  ];
}

/** Messages from ST or UNH to SE or UNT. */
function reversedMessages(text: string): string {
  const messages = text.match(message) ?? [];
  const reversed = messages.toReversed();
  let count = 0;
  return text.replace(message, (whole) => reversed[count++] ?? whole);
}

const message = /(?:ST\*[\s\S]*?[~\n]\s*SE\*\d+\*\w+|UNH\+[\s\S]*?'\s*UNT\+\d+\+\w+)/g;

function withUnknownSegment(text: string): string {
  return text
    .replace(
      /([~\n])(\s*)SE\*(\d+)/,
      (_, end: string, blank: string, count: string) => `${end}${blank}QQQ*1*X${end}${blank}SE*${Number(count) + 1}`,
    )
    .replace(
      /'(\s*)UNT\+(\d+)/,
      (_, blank: string, count: string) => `'${blank}QQQ+1+X'${blank}UNT+${Number(count) + 1}`,
    );
}
