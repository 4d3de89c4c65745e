import { describe, expect, it } from 'vitest';
import { isNumber, pastedNumbers } from '#services/dashboard/screens/shipments/pasted-numbers.ts';
import { commandsFor, matchingCommands } from '#services/dashboard/shell/commands.ts';
import { paletteLines } from '#services/dashboard/shell/palette-lines.ts';
import { listRow } from '../shipments/list-rows.ts';

const commands = commandsFor({ isOperator: false, canWrite: true }, [
  { id: 'vw_1', name: 'Late from China', search: { view: 'late', origin: 'CN' } },
]);
const lines = (text: string, rows = [listRow()]) =>
  paletteLines({ text, found: { text, rows, exact: rows.length }, isSearching: false, commands, canWrite: true });

describe('pastedNumbers', () => {
  it('treats spaces and hyphens as part of a number', () => {
    for (const text of ['MSKU 123456 5', '020-0800 2050', '1Z 999 AA1 01 2345 6784', 'maeu263944107']) {
      expect(isNumber(text)).toBe(true);
      expect(pastedNumbers(text)).toEqual([]);
    }
    for (const text of ['late', 'Los Angeles', '12', 'x'.repeat(80)]) expect(isNumber(text)).toBe(false);
  });

  it('splits at line ends, commas, semicolons and tabs, and removes duplicates', () => {
    expect(pastedNumbers('MAEU1111\nMAEU2222\r\nMAEU1111')).toEqual(['MAEU1111', 'MAEU2222']);
    expect(pastedNumbers('MSKU 123456 5, MAEU2222; 020-0800 2050\t1234')).toHaveLength(4);
    expect(pastedNumbers('Rotterdam, Antwerp')).toEqual([]);
  });
});

describe('the palette', () => {
  it('lists the shipment of a number first', () => {
    expect(lines('MAEU 263 944 107')[0]).toMatchObject({ key: 'shp_1', name: 'MAEU 263 944 107' });
  });

  it('offers to track an unknown number, with its likely carrier', () => {
    expect(lines('MAEU 263 944 108', [])[0]).toMatchObject({
      name: 'Track MAEU 263 944 108',
      go: { to: '/add', search: { number: 'MAEU 263 944 108' } },
      hint: expect.stringContaining('Maersk'),
    });
    const viewer = paletteLines({
      text: 'MAEU263944108',
      found: undefined,
      isSearching: false,
      commands,
      canWrite: false,
    });
    expect(viewer.some(({ group }) => group === 'Track')).toBe(false);
  });

  it('does not offer to track a number while searching', () => {
    const searching = paletteLines({
      text: 'MAEU263944108',
      found: undefined,
      isSearching: true,
      commands,
      canWrite: true,
    });
    expect(searching.some(({ group }) => group === 'Track')).toBe(false);
  });

  it('opens the list of several numbers', () => {
    expect(lines('MAEU1111, MAEU2222')[0]?.go).toEqual({
      to: '/',
      search: { view: 'all', numbers: 'MAEU1111,MAEU2222' },
    });
  });

  it('finds screens, views and actions by word prefixes', () => {
    const names = (text: string) => matchingCommands(commands, text).map(({ name }) => name);
    expect(names('late')).toEqual(['Late from China']);
    expect(names('theme da')).toEqual(['Dark theme']);
    expect(names('log out')).toEqual(['Sign out']);
    expect(names('operations')).toEqual([]);
  });

  it('offers viewers only permitted actions', () => {
    const names = commandsFor({ isOperator: false, canWrite: false }, []).map(({ name }) => name);
    expect(names).not.toContain('New API key');
    expect(names).not.toContain('Track a shipment');
  });
});
