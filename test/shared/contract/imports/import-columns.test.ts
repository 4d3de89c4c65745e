import { expect, it } from 'vitest';
import { readImportColumns } from '#shared/contract/imports/import-columns.ts';

it('fields, their aliases, identifiers of any mode and own metadata are columns', () => {
  expect(readImportColumns(['SCAC', 'mbl number', 'Metadata.Buyer ', 'error_code'])).toEqual([
    { kind: 'field', name: 'carrier' },
    { kind: 'identifier', name: 'mbl_number' },
    { kind: 'metadata', name: 'Buyer' },
    { kind: 'ignored' },
  ]);
});

it.each(['constructor', '__proto__', 'toString', 'identifiers.__proto__', 'metadata.__proto__', 'metadata. __proto__'])(
  'a column that is only a name of every object is unknown: %s',
  (name) => {
    expect(() => readImportColumns(['mbl', name])).toThrow(`Unknown column: ${name}.`);
  },
);
