import { describe, expect, test } from 'vitest';
import {
  guessMapping,
  mappedFile,
  mappingProblem,
  readCsvStart,
} from '#services/dashboard/screens/adding/csv-columns.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const startOf = (text: string) => {
  const found = readCsvStart(bytes(text), { isWhole: true, maxRows: 5 });
  if (found === null) throw new Error('no header');
  return found;
};
const none = { carrier: false, mode: false };

describe('CSV columns', () => {
  test('reads the header and first rows with any delimiter, quotes and a byte order mark', () => {
    expect(startOf('\ufeffB/L;Carrier\r\n"MAEU;1";Maersk\r\nMAEU2;MSC\r\n')).toMatchObject({
      delimiter: ';',
      header: ['B/L', 'Carrier'],
      rows: [
        ['MAEU;1', 'Maersk'],
        ['MAEU2', 'MSC'],
      ],
    });
    expect(readCsvStart(bytes(''), { isWhole: true, maxRows: 5 })).toBeNull();
  });

  test('maps known names and aliases once, and skips other columns', () => {
    expect(guessMapping(['Mode', 'SCAC', 'MBL', 'Customer reference', 'mode', 'Colour', 'metadata.team'])).toEqual([
      'transport_mode',
      'carrier',
      'mbl',
      'reference',
      null,
      null,
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
    expect(guessMapping(header, rows)).toEqual(['carrier', 'mbl', 'transport_mode', null, null]);
    expect(guessMapping(['Nummer', 'mbl'], [['MAEU263944107', '']])).toEqual([null, 'mbl']);
  });

  test('requires a number, a mode and a carrier', () => {
    expect(mappingProblem(['reference', null], none)).toBe('Choose the column that contains the number.');
    expect(mappingProblem(['mbl', null], none)).toContain('column for the mode');
    expect(mappingProblem(['mbl', null], { carrier: false, mode: true })).toContain('column for the carrier');
    expect(mappingProblem(['mbl', null], { carrier: true, mode: true })).toBeNull();
    expect(mappingProblem(['mbl', 'mbl'], { carrier: true, mode: true })).toContain('Duplicate column');
  });

  test('sends the mapped names as the header and every other byte unchanged', async () => {
    const text = '\ufeffNummer,Farbe,Reederei\r\nMAEU263944107,"ro""t\nrot",Maersk\r\n\u00e4,b,c';
    const file = new Blob([text]);
    const sent = await mappedFile(file, startOf(text), ['mbl', null, 'carrier']).text();
    expect(sent).toBe('mbl,row,carrier\nMAEU263944107,"ro""t\nrot",Maersk\r\n\u00e4,b,c');
  });
});
