import { expect, it } from 'vitest';
import { countKnownColumns, readImportColumns } from '#shared/contract/imports/import-columns.ts';

it('accepts fields, aliases, identifiers of any mode and metadata as columns', () => {
  expect(readImportColumns(['SCAC', 'mbl number', 'Metadata.Buyer ', 'error_code'])).toEqual([
    { kind: 'field', name: 'carrier' },
    { kind: 'identifier', name: 'mbl' },
    { kind: 'metadata', name: 'Buyer' },
    { kind: 'ignored' },
  ]);
});

it.each(['constructor', '__proto__', 'toString', 'identifiers.__proto__', 'metadata.__proto__', 'metadata. __proto__'])(
  'refuses columns named like object members: %s',
  (name) => {
    expect(() => readImportColumns(['mbl', name])).toThrow(`Unknown column: ${name}.`);
  },
);

it('counts known columns only among those that a header may have', () => {
  const names = Array<string>(199).fill('x');
  expect(countKnownColumns([...names, 'mbl', 'carrier'])).toBe(1);
});
