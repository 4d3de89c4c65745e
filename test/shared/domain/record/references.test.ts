import { expect, it } from 'vitest';
import { readImportRows } from '#shared/contract/imports/import-row-body.ts';
import { toWireSummary } from '#shared/contract/record/shipment-wire.ts';
import { filterTable } from '#shared/domain/lists/filter-table.ts';
import { searchText } from '#shared/domain/lists/search-text.ts';
import { allReferences, mergeReferences } from '#shared/domain/record/references.ts';
import { fullShipment } from '#test/support/full-shipment.ts';

it('lists each sent reference once, the one sent alone first', () => {
  expect(allReferences('A', ['B', 'A', 'B'])).toEqual(['A', 'B']);
  expect(allReferences(null, ['B', 'A'])).toEqual(['B', 'A']);
  expect(allReferences(null, null)).toEqual([]);
});

it.each([
  ['keeps them when none is sent', {}, ['A', 'B', 'C']],
  ['replaces all by a list', { references: ['X'] }, ['X']],
  ['puts the one sent beside a list first', { reference: 'B', references: ['X', 'B'] }, ['B', 'X']],
  ['removes all by an empty list', { references: [] }, []],
  ['replaces the first one by one sent alone', { reference: 'X' }, ['X', 'B', 'C']],
  ['moves one of the others to the front', { reference: 'C' }, ['C', 'A', 'B']],
  ['removes the first one by null', { reference: null }, ['B', 'C']],
  ['joins added ones', { referencesAdd: ['B', 'D'] }, ['A', 'B', 'C', 'D']],
])('%s', (_what, sent, expected) => {
  expect(mergeReferences(['A', 'B', 'C'], sent)).toEqual(expected);
});

it('finds a shipment by any of its references, also in changes without the list', () => {
  const isFound = (reference: string, shipment: object) =>
    filterTable.reference.matches([reference])(shipment as typeof fullShipment);
  const shipment = { ...fullShipment, reference: 'A', references: ['A', 'B'] };
  expect(['A', 'B', 'C'].map((reference) => isFound(reference, shipment))).toEqual([true, true, false]);
  const { references: _, ...former } = shipment;
  expect(['A', 'B'].map((reference) => isFound(reference, former))).toEqual([true, false]);
  expect(toWireSummary(former as typeof fullShipment).references).toEqual(['A']);
  expect(searchText(shipment).split('\n')).toContain('b');
});

it('reads the orders of every column of a row', () => {
  const options = { columns: ['mode', 'carrier', 'tracking_number', 'reference', 'references', 'po'] };
  const cells = ['parcel', 'ups', '1Z12345E0205271688', 'A', 'B|C', 'D'];
  const [row] = readImportRows(
    { format: 'csv', options: { carrier: null, transportMode: null, ...options } } as never,
    [{ content: cells, problem: null } as never],
  );
  expect(row).toMatchObject({ reference: 'A', references: ['A', 'B', 'C', 'D'] });
});

it('searches numbers and places beside the longest list of references', () => {
  const references = Array.from({ length: 50 }, (_, n) => `PO-${String(n).padStart(90, '0')}`);
  const text = searchText({ ...fullShipment, reference: references[0] ?? null, references });
  for (const number of Object.values(fullShipment.identifiers)) expect(text).toContain(number.toLowerCase());
});
