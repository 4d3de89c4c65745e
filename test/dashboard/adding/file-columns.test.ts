import { describe, expect, test } from 'vitest';
import { columnNames, guessMapping, mappingProblem } from '#services/dashboard/screens/adding/file-columns.ts';

const none = { carrier: false, mode: false };

describe('columns of a file', () => {
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

  test('sends a name for every column, and a hyphen for one that is skipped', () => {
    expect(columnNames(['mbl', null, 'metadata.buyer'])).toEqual(['mbl', '-', 'metadata.buyer']);
  });

  test('updates shipments by id without a mode or a carrier', () => {
    expect(mappingProblem(['shipment_id', 'tags'], none)).toBeNull();
  });
});
