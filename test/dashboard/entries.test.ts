import { describe, expect, test } from 'vitest';
import { countEntries, readEntries, withMode } from '#services/dashboard/screens/adding/entries.ts';
import { planBatches, readResults, readTags } from '#services/dashboard/screens/adding/plan-registration.ts';
import { splitPasted } from '#services/dashboard/screens/adding/split-pasted.ts';

const read = (text: string, choices = new Map()) => readEntries(splitPasted(text), choices, { test: false });
const common = { reference: '', tags: [] };

describe('what a number is taken for', () => {
  test('by its shape: mode, carrier and kind', () => {
    expect(read('MAEU263944107')[0]).toMatchObject({
      choice: { mode: 'ocean', identifier: 'mbl', carrier: 'MAEU' },
      state: 'ready',
    });
    expect(read('1Z999AA10123456784')[0]).toMatchObject({ choice: { mode: 'parcel', carrier: 'ups' }, state: 'ready' });
  });

  test('by hand before anything else', () => {
    const choice = { mode: 'ocean' as const, identifier: 'booking' as const, carrier: 'MAEU' };
    expect(read('MAEU263944107', new Map([['MAEU263944107', choice]]))[0]?.choice).toEqual(choice);
  });

  test('a number that tells nothing asks for its mode, then for its carrier', () => {
    expect(read('X-99887')[0]).toMatchObject({ state: 'incomplete', problem: 'Choose how it travels.' });
    expect(read('PRO 482-119 0037')[0]).toMatchObject({ state: 'incomplete', problem: 'Choose its carrier.' });
  });

  test('a check digit that does not fit warns and hinders nothing', () => {
    expect(read('MSKU1234560')[0]).toMatchObject({
      state: 'ready',
      warning: expect.stringContaining('5 was expected'),
    });
  });

  test('the same number again, in whatever writing, is registered once', () => {
    const entries = read('MSKU1234565\nMSKU 123456 5\nmsku-123456-5');
    expect(countEntries(entries)).toMatchObject({ ready: 1, duplicate: 2 });
    expect(planBatches(entries, common, new Map())[0]?.rows).toHaveLength(1);
  });

  test('another mode forgets a carrier that does not sail there, and takes a kind that it has', () => {
    expect(withMode({ mode: 'ocean', identifier: 'mbl', carrier: 'MAEU' }, 'air')).toEqual({
      mode: 'air',
      identifier: 'awb',
      carrier: null,
    });
  });
});

describe('what is sent', () => {
  const numbers = Array.from({ length: 600 }, (_, index) => `MAEU${200000000 + index}`).join('\n');

  test('everything that is ready, in batches, each row once', () => {
    const batches = planBatches(read(numbers), common, new Map());
    expect(batches.map(({ rows }) => rows.length)).toEqual([250, 250, 100]);
    expect(new Set(batches.flatMap(({ keys }) => keys)).size).toBe(600);
  });

  test('a retry sends what was refused and nothing that is there', () => {
    const entries = read('MAEU263944107\nMAEU263944108\nMAEU263944109');
    const results = new Map([
      ['MAEU263944107', { outcome: 'created' as const, shipmentId: 'shp_1' }],
      ['MAEU263944108', { outcome: 'failed' as const, code: 'x', detail: 'x', shipmentIds: [] }],
    ]);
    expect(planBatches(entries, common, results).flatMap(({ keys }) => keys)).toEqual([
      'MAEU263944108',
      'MAEU263944109',
    ]);
  });

  test('one shipment gets the reference, several get it numbered by their place, also in a retry', () => {
    const given = { reference: 'PO-7', tags: ['acme'] };
    expect(planBatches(read('MAEU263944107'), given, new Map())[0]?.rows[0]).toMatchObject({
      reference: 'PO-7',
      tags: ['acme'],
    });
    const done = new Map([['MAEU263944107', { outcome: 'created' as const, shipmentId: 'shp_1' }]]);
    expect(
      planBatches(read('MAEU263944107\nMAEU263944108'), given, done)[0]?.rows.map(({ reference }) => reference),
    ).toEqual(['PO-7-2']);
  });

  test('each result finds its line, with the reason in words', () => {
    const error = {
      code: 'validation_failed',
      title: '',
      detail: 'no',
      errors: [{ pointer: '', code: '', detail: 'mbl must be longer' }],
    };
    const answer = {
      results: [
        { index: 0, outcome: 'existing' as const, shipment_id: 'shp_1' },
        { index: 1, outcome: 'failed' as const, error },
      ],
      summary: { received: 2, created: 0, existing: 1, failed: 1 },
    };
    const results = readResults({ keys: ['A', 'B'], rows: [] }, answer);
    expect(results.get('A')).toEqual({ outcome: 'existing', shipmentId: 'shp_1' });
    expect(results.get('B')).toMatchObject({ outcome: 'failed', detail: 'mbl must be longer' });
  });

  test('tags are trimmed and unique', () => {
    expect(readTags(' acme, q2 ,,acme')).toEqual(['acme', 'q2']);
  });
});
