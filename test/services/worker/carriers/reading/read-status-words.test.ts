import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readStatusWords } from '#services/worker/carriers/reading/status-words/read-status-words.ts';
import { fileText, repositoryPath } from '#test/support/repository.ts';

type Row = { file: string; text: string; meaning: string };

const folder = 'test/fixtures/status-words';
const files = readdirSync(repositoryPath(folder)).filter((name) => name.endsWith('.txt'));
const rows = files.flatMap(rowsOf);

function rowsOf(file: string): Row[] {
  let meaning = '';
  return fileText(`${folder}/${file}`)
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('[')) meaning = line.slice(1, -1);
      return line === '' || /^(\[|source:)/.test(line) ? [] : [{ file, text: line, meaning }];
    });
}

/** The meaning in the words of the tables. */
function meaningOf(text: string): string {
  const read = readStatusWords(text)?.meaning ?? 'nothing';
  const names: Partial<Record<string, string>> = { collected: 'delivered', wrong_way: 'problem', nothing: 'note' };
  return names[read] ?? read;
}

function isRight({ text, meaning }: Row): boolean {
  const read = meaningOf(text);
  if (meaning === 'either_return') return read === 'return_started' || read === 'returned';
  const silent = ['note', 'forecast'];
  return read === meaning || (silent.includes(read) && silent.includes(meaning));
}

const ends = ['delivered', 'returned', 'cancelled', 'lost'];

describe('readStatusWords', () => {
  it('is checked against at least 600 distinct texts', () => {
    expect(new Set(rows.map(({ text }) => text.toLowerCase())).size).toBeGreaterThanOrEqual(600);
  });

  it('reads at least 95 % of the texts of each file right', () => {
    const wrong = files.filter((file) => {
      const own = rows.filter((row) => row.file === file);
      return own.filter(isRight).length < own.length * 0.95;
    });
    expect(wrong).toEqual([]);
  });

  it('reads the end of a journey exactly where there is one', () => {
    const wrong = rows.filter(
      (row) => !isRight(row) && (ends.includes(row.meaning) || ends.includes(meaningOf(row.text))),
    );
    expect(wrong).toEqual([]);
  });

  it('reads the same in capitals, in lower case and with underscores', () => {
    const different = rows.filter(({ text }) =>
      [text.toUpperCase(), text.toLowerCase(), text.replaceAll(' ', '_')].some(
        (other) => meaningOf(other) !== meaningOf(text),
      ),
    );
    expect(different).toEqual([]);
  });

  it.each([
    ['Your parcel has arrived at the depot and will be delivered tomorrow', 'arrived_at_facility'],
    ['Out for delivery. Your parcel will be delivered between 10:00 and 11:00', 'out_for_delivery'],
    ['Die Sendung ist im Paketzentrum angekommen und wird am 06.10.2026 zugestellt', 'arrived_at_facility'],
    ['Will be delivered back to sender', 'return_started'],
    ['The parcel has not cleared customs yet', 'customs_inspection'],
    ['Vom Zoll zurückgehalten', 'customs_hold'],
    ['Not collected by the recipient, return to sender', 'return_started'],
    ['Departed from the parcel center', 'departed_facility'],
    ['Sorting complete', 'in_transit'],
    ['Shipment destroyed', 'destroyed'],
    ['Votre colis sera livré demain', 'other'],
  ])('%s is %s', (text, code) => {
    expect(readStatusWords(text)?.code).toBe(code);
  });

  it.each(['', 'JESSICA', '1234', 'Deliver weekday'])('finds no meaning in "%s"', (text) => {
    expect(readStatusWords(text)).toBeNull();
  });
});
