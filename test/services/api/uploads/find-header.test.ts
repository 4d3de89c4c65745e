import { expect, it } from 'vitest';
import { findCsvHeader } from '#services/api/uploads/find-header.ts';

it('takes the delimiter that a line sep= names, even where another one splits the header further', () => {
  const file = (first: string) => Buffer.from(`${first}Lot;Remark, as agreed, of the buyer\n7;one, two, three\n`);
  expect(findCsvHeader(file('sep=;\n'), null)).toEqual({
    delimiter: ';',
    header: { names: ['Lot', 'Remark, as agreed, of the buyer'], line: 2 },
  });
  expect(findCsvHeader(file(''), null).delimiter).toBe(',');
});
