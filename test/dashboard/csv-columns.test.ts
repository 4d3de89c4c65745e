import { describe, expect, test } from 'vitest';
import {
  guessMapping,
  mappedFile,
  mappingProblem,
  readBeginning,
} from '#services/dashboard/screens/adding/csv-columns.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const begin = (text: string) => {
  const found = readBeginning(bytes(text), { isWhole: true, mostRows: 5 });
  if (found === null) throw new Error('no header');
  return found;
};
const none = { carrier: false, mode: false };

describe('the columns of a CSV', () => {
  test('are seen with their first rows, whatever separates them, quotes and byte order mark included', () => {
    expect(begin('\ufeffB/L;Carrier\r\n"MAEU;1";Maersk\r\nMAEU2;MSC\r\n')).toMatchObject({
      delimiter: ';',
      header: ['B/L', 'Carrier'],
      rows: [
        ['MAEU;1', 'Maersk'],
        ['MAEU2', 'MSC'],
      ],
    });
    expect(readBeginning(bytes(''), { isWhole: true, mostRows: 5 })).toBeNull();
  });

  test('are known by name and alias, each once; others are left out', () => {
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

  test('whose names say nothing are known by what most of their cells are', () => {
    const rows = [
      ['Maersk', 'MAEU263944107', 'Ocean', 'red', '12'],
      ['MSC', 'MEDU738291000', 'ocean', 'Maersk', '13'],
      ['unheard of', '', 'ocean', 'blue', '14'],
    ];
    const header = ['Reederei', 'Nummer', 'Weg', 'Farbe', 'Menge'];
    expect(guessMapping(header, rows)).toEqual(['carrier', 'mbl', 'transport_mode', null, null]);
    expect(guessMapping(['Nummer', 'mbl'], [['MAEU263944107', '']])).toEqual([null, 'mbl']);
  });

  test('need a number, a mode and a carrier before they can be imported', () => {
    expect(mappingProblem(['reference', null], none)).toBe('Say which column holds the number.');
    expect(mappingProblem(['mbl', null], none)).toContain('how the rows travel');
    expect(mappingProblem(['mbl', null], { carrier: false, mode: true })).toContain('whose they are');
    expect(mappingProblem(['mbl', null], { carrier: true, mode: true })).toBeNull();
    expect(mappingProblem(['mbl', 'mbl'], { carrier: true, mode: true })).toContain('twice');
  });

  test('are sent under the mapped names, with every byte of the rows as it was', async () => {
    const text = '\ufeffNummer,Farbe,Reederei\r\nMAEU263944107,"ro""t\nrot",Maersk\r\n\u00e4,b,c';
    const file = new Blob([text]);
    const sent = await mappedFile(file, begin(text), ['mbl', null, 'carrier']).text();
    expect(sent).toBe('mbl,row,carrier\nMAEU263944107,"ro""t\nrot",Maersk\r\n\u00e4,b,c');
  });
});
