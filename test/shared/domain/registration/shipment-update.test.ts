import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeMetadata } from '#shared/domain/registration/shipment-update.ts';

const keys = fc.constantFrom('desk', 'buyer', 'lane', 'constructor');
const present = fc.dictionary(keys, fc.string(), { noNullPrototype: true });
const update = fc.dictionary(keys, fc.option(fc.string()), { noNullPrototype: true });

it('sets the given fields, removes those with null, keeps the rest, and leaves the input unchanged', () => {
  fc.assert(
    fc.property(present, update, (before, sent) => {
      const copy = structuredClone(before);
      const after = mergeMetadata(before, sent);
      for (const key of new Set([...Object.keys(before), ...Object.keys(sent)])) {
        const expected = Object.hasOwn(sent, key) ? sent[key] : before[key];
        expect(Object.hasOwn(after, key) ? after[key] : null).toBe(expected);
      }
      expect(before).toEqual(copy);
    }),
  );
});

it('is idempotent, and independent of the order for different keys', () => {
  fc.assert(
    fc.property(present, update, (before, sent) => {
      const once = mergeMetadata(before, sent);
      expect(mergeMetadata(once, sent)).toEqual(once);
      const [first, ...rest] = Object.entries(sent);
      if (first === undefined) return;
      const [one, others] = [Object.fromEntries([first]), Object.fromEntries(rest)];
      expect(mergeMetadata(mergeMetadata(before, one), others)).toEqual(
        mergeMetadata(mergeMetadata(before, others), one),
      );
    }),
  );
});

it('removes all for null and keeps all when absent', () => {
  expect(mergeMetadata({ desk: '7' }, null)).toEqual({});
  expect(mergeMetadata({ desk: '7' }, undefined)).toEqual({ desk: '7' });
});
