import { describe, expect, test } from 'vitest';
import { firstReasons } from '#services/dashboard/screens/adding/failure-reasons.ts';
import {
  columnNames,
  guessMapping,
  mappingProblem,
  typedMetadataName,
} from '#services/dashboard/screens/adding/file-columns.ts';

const none = { carrier: false, mode: false };

describe('columns of a file', () => {
  test('maps known names and aliases once, and keeps other columns as metadata', () => {
    expect(guessMapping(['Mode', 'SCAC', 'MBL', 'Customer reference', 'mode', 'Colour', 'metadata.team'])).toEqual([
      'transport_mode',
      'carrier',
      'mbl',
      'reference',
      null,
      'metadata.Colour',
      'metadata.team',
    ]);
  });

  test('maps columns with unknown names by most of their cells', () => {
    const rows = [
      ['Maersk', 'MAEU263944107', 'Ocean', 'red', '12'],
      ['MSC', 'MEDU738291000', 'ocean', 'Maersk', '13'],
      ['unheard of', '', 'ocean', 'blue', '14'],
    ];
    const header = ['Reederei', 'Nummer', 'Weg', 'Farbe', 'Menge'];
    expect(guessMapping(header, rows)).toEqual([
      'carrier',
      'mbl',
      'transport_mode',
      'metadata.Farbe',
      'metadata.Menge',
    ]);
    expect(guessMapping(['Nummer', 'mbl'], [['MAEU263944107', '']])).toEqual(['metadata.Nummer', 'mbl']);
  });

  test('makes valid keys of names, and keeps at most 20 columns', () => {
    const name = 'Remarks,\n of\u200b the   forwarder '.padEnd(80, 'x');
    const [kept, twin, nameless, own] = guessMapping([name, `${name} 2`, ' ', 'metadata.team']);
    expect(kept).toBe(`metadata.${'Remarks of the forwarder '.padEnd(55, 'x')}`);
    expect([twin, nameless, own]).toEqual([null, null, 'metadata.team']);
    expect(mappingProblem(['mbl', kept ?? null], { carrier: true, mode: true })).toBeNull();
    const many = guessMapping(['mbl', ...Array.from({ length: 30 }, (_, index) => `Column ${index}`)]);
    expect(many.filter((column) => column !== null)).toHaveLength(21);
    expect(mappingProblem(['mbl', typedMetadataName(' ')], { carrier: true, mode: true })).toContain('metadata key');
    expect(typedMetadataName('two words, ')).toBe('metadata.two words  ');
  });

  test('requires a number and a carrier, whose mode may be known', () => {
    expect(mappingProblem(['reference', null], none)).toBe('Choose the column that contains the number.');
    expect(mappingProblem(['mbl', null], none)).toContain('column for the carrier');
    expect(mappingProblem(['mbl', 'carrier'], none)).toBeNull();
    expect(mappingProblem(['mbl', null], { carrier: false, mode: true })).toContain('column for the carrier');
    expect(mappingProblem(['mbl', null], { carrier: true, mode: true })).toBeNull();
    expect(mappingProblem(['mbl', 'mbl'], { carrier: true, mode: true })).toContain('Duplicate column');
  });

  test('sends a name for every column, and a hyphen for one that is skipped', () => {
    expect(columnNames(['mbl', null, 'metadata.buyer'])).toEqual(['mbl', '-', 'metadata.buyer']);
  });

  test('updates shipments by id without a mode or a carrier', () => {
    expect(mappingProblem(['shipment_id', 'tags'], none)).toBeNull();
  });
});

test('lists five different reasons of failed rows, each with its first row', () => {
  const line = (row: number, detail: string) => JSON.stringify({ row, error_detail: detail });
  const rows = [
    line(2, 'a'),
    line(3, 'b'),
    line(4, 'a'),
    ...['c', 'd', 'e', 'f'].map((text, at) => line(5 + at, text)),
  ];
  expect(firstReasons(`${rows.join('\n')}\n`)).toEqual([
    { row: 2, more: 1, detail: 'a' },
    { row: 3, more: 0, detail: 'b' },
    { row: 5, more: 0, detail: 'c' },
    { row: 6, more: 0, detail: 'd' },
    { row: 7, more: 0, detail: 'e' },
  ]);
});
