import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, it } from 'vitest';
import { type ShipmentSort, shipmentSorts } from '#shared/domain/lists/filter.ts';
import { decodeListCursor, encodeListCursor, type ListPlace, markOf } from '#shared/domain/lists/list-cursor.ts';

const instant = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const valueIn = (sort: ShipmentSort) =>
  sort.endsWith('delay_hours')
    ? fc.integer({ min: -99_999_999, max: 99_999_999 }).map(String)
    : sort.endsWith('last_free_day')
      ? instant.map((text) => text.slice(0, 10))
      : instant;
const sorted = fc.constantFrom(...shipmentSorts).chain((sort) =>
  fc.record({
    sort: fc.constant(sort),
    place: fc.record({
      value: fc.option(valueIn(sort)),
      id: fc.option(fc.uuid()),
      asOf: fc
        .date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString()),
      shown: fc.uniqueArray(fc.uuid().map(markOf), { maxLength: 3 }),
    }) satisfies fc.Arbitrary<ListPlace>,
  }),
);

it('reads the place that it wrote, with the same filter and sort alone, and takes at most 40 tokens', () => {
  fc.assert(
    fc.property(sorted, fc.string(), fc.string(), ({ sort, place }, boundTo, other) => {
      const cursor = encodeListCursor(place, { sort, boundTo });
      expect(decodeListCursor(cursor, { sort, boundTo })).toEqual(place);
      if (other !== boundTo) expect(decodeListCursor(cursor, { sort, boundTo: other })).toBeNull();
      expect(countTokens(JSON.stringify(cursor))).toBeLessThanOrEqual(42);
      expect(countTokens(cursor)).toBeLessThanOrEqual(40);
    }),
  );
});

it('refuses an altered cursor, and anything else', () => {
  fc.assert(
    fc.property(sorted, fc.nat(), fc.integer({ min: 1, max: 9 }), ({ sort, place }, at, by) => {
      const cursor = encodeListCursor(place, { sort, boundTo: 'filter' });
      const index = 1 + (at % (cursor.length - 1));
      const digit = (Number(cursor[index]) + by) % 10;
      const altered = `${cursor.slice(0, index)}${digit}${cursor.slice(index + 1)}`;
      expect(decodeListCursor(altered, { sort, boundTo: 'filter' })).toBeNull();
    }),
  );
  for (const text of ['', 'c', 'c0', `c${'9'.repeat(5000)}`, 'WzEyMywiW10iXQ', '1234', 'c12e5', 'c-5'])
    expect(decodeListCursor(text, { sort: 'eta', boundTo: 'filter' })).toBeNull();
  fc.assert(fc.property(fc.string(), (text) => decodeListCursor(text, { sort: 'eta', boundTo: '' }) === null));
});
