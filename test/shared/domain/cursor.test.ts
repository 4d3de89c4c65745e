import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '#shared/domain/cursor.ts';

it('decodes every position with its filter and with no other', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), fc.string(), fc.string(), (position, filter, other) => {
      const cursor = encodeCursor(position, filter);
      if (cursor.length > 2000) return;
      expect(JSON.stringify(decodeCursor(cursor, filter))).toBe(JSON.stringify(position));
      if (other !== filter) expect(decodeCursor(cursor, other)).toBeNull();
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    }),
  );
});

it('rejects a cursor with any changed character', () => {
  const cursor = encodeCursor(
    { after: ['2026-04-15T00:00:00.000Z', '01890a5d-ac96-774b-bcce-b302099a8057'] },
    'filter',
  );
  for (let place = 0; place < cursor.length; place++) {
    const changed = cursor.slice(0, place) + (cursor[place] === 'A' ? 'B' : 'A') + cursor.slice(place + 1);
    expect(decodeCursor(changed, 'filter')).toBeNull();
  }
});

it('rejects arbitrary text', () => {
  fc.assert(fc.property(fc.string(), (text) => decodeCursor(text, 'filter') === null));
  expect(decodeCursor('A'.repeat(3000), 'filter')).toBeNull();
});
