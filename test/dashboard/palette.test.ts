import { describe, expect, it } from 'vitest';
import { commandsFor, matchingCommands } from '#services/dashboard/shell/commands.ts';
import { paletteLines } from '#services/dashboard/shell/palette-lines.ts';
import { isNumber, pastedNumbers } from '#services/dashboard/shell/pasted-numbers.ts';
import { listRow } from './list-rows.ts';

const commands = commandsFor({ isOperator: false, canWrite: true }, [
  { name: 'Late from China', search: { view: 'late', origin: 'CN' } },
]);
const lines = (text: string, rows = [listRow()]) =>
  paletteLines({ text, found: { text, rows, exact: rows.length }, isSearching: false, commands, canWrite: true });

describe('pasted text', () => {
  it('is one number whatever its spaces and hyphens', () => {
    for (const text of ['MSKU 123456 5', '020-0800 2050', '1Z 999 AA1 01 2345 6784', 'maeu263944107']) {
      expect(isNumber(text)).toBe(true);
      expect(pastedNumbers(text)).toEqual([]);
    }
    for (const text of ['late', 'Los Angeles', '12', 'x'.repeat(80)]) expect(isNumber(text)).toBe(false);
  });

  it('is several numbers, each once, by line, comma, semicolon or tab', () => {
    expect(pastedNumbers('MAEU1111\nMAEU2222\r\nMAEU1111')).toEqual(['MAEU1111', 'MAEU2222']);
    expect(pastedNumbers('MSKU 123456 5, MAEU2222; 020-0800 2050\t1234')).toHaveLength(4);
    expect(pastedNumbers('Rotterdam, Antwerp')).toEqual([]);
  });
});

describe('the palette', () => {
  it('opens the shipment of a number with Enter', () => {
    expect(lines('MAEU 263 944 107')[0]).toMatchObject({ key: 'shp_1', name: 'MAEU 263 944 107' });
  });

  it('offers to track a number that nobody tracks, and says whose it may be', () => {
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

  it('does not claim that a number is unknown while it is looked for', () => {
    const looking = paletteLines({
      text: 'MAEU263944108',
      found: undefined,
      isSearching: true,
      commands,
      canWrite: true,
    });
    expect(looking.some(({ group }) => group === 'Track')).toBe(false);
  });

  it('leads several numbers to their list', () => {
    expect(lines('MAEU1111, MAEU2222')[0]?.go).toEqual({
      to: '/',
      search: { view: 'all', numbers: 'MAEU1111,MAEU2222' },
    });
  });

  it('finds screens, views and actions by the beginnings of their words', () => {
    const names = (text: string) => matchingCommands(commands, text).map(({ name }) => name);
    expect(names('late')).toEqual(['Late from China']);
    expect(names('theme da')).toEqual(['Dark theme']);
    expect(names('log out')).toEqual(['Sign out']);
    expect(names('operations')).toEqual([]);
  });

  it('offers a viewer nothing that would be refused', () => {
    const names = commandsFor({ isOperator: false, canWrite: false }, []).map(({ name }) => name);
    expect(names).not.toContain('New API key');
    expect(names).not.toContain('Track a shipment');
  });
});
