import { expect, it } from 'vitest';
import { allClassifiers } from '#shared/domain/events/event.ts';
import { eventKeysOf } from '#shared/domain/feed/change.ts';
import { eventHashes } from '#shared/store/feed/event-hashes.ts';

it('gives every kind of event a separate hash', () => {
  const keys = eventKeysOf({ codes: [], legRoles: [], classifiers: allClassifiers }) ?? [];
  expect(keys.length).toBeGreaterThan(500);
  expect(new Set(eventHashes(keys)).size).toBe(keys.length);
});

it('gives a key the mark that stored changes have', () => {
  expect(eventHashes(['loaded|pol|actual', 'arrived|pod|estimated'])).toEqual([-1379625821, 181910754]);
});
