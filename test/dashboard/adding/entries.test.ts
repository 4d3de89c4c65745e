import { describe, expect, it, test } from 'vitest';
import { countEntries, readEntries, withMode } from '#services/dashboard/screens/adding/entries.ts';
import { planBatches, readResults, readTags } from '#services/dashboard/screens/adding/plan-registration.ts';
import { splitPasted } from '#services/dashboard/screens/adding/split-pasted.ts';

const read = (text: string, choices = new Map()) => readEntries(splitPasted(text), choices, { test: false });
const common = { reference: '', tags: [] };

describe('readEntries', () => {
  test('recognizes mode, carrier and kind by the shape', () => {
    expect(read('MAEU263944107')[0]).toMatchObject({
      choice: { mode: 'ocean', identifier: 'mbl', carrier: 'MAEU' },
      state: 'ready',
    });
    expect(read('1Z999AA10123456784')[0]).toMatchObject({ choice: { mode: 'parcel', carrier: 'ups' }, state: 'ready' });
  });

  test('prefers a manual choice', () => {
    const choice = { mode: 'ocean' as const, identifier: 'booking' as const, carrier: 'MAEU' };
    expect(read('MAEU263944107', new Map([['MAEU263944107', choice]]))[0]?.choice).toEqual(choice);
  });

  test('asks for the mode of an unrecognized number, then for its carrier', () => {
    expect(read('X-99887')[0]).toMatchObject({ state: 'incomplete', problem: 'Choose a mode.' });
    expect(read('PRO 482-119 0037')[0]).toMatchObject({ state: 'incomplete', problem: 'Choose a carrier.' });
  });

  test('warns about a wrong check digit without preventing registration', () => {
    expect(read('MSKU1234560')[0]).toMatchObject({
      state: 'ready',
      warning: expect.stringContaining('should be 5'),
    });
  });

  test('registers a repeated number once, in any notation', () => {
    const entries = read('MSKU1234565\nMSKU 123456 5\nmsku-123456-5');
    expect(countEntries(entries)).toMatchObject({ ready: 1, duplicate: 2 });
    expect(planBatches(entries, common, new Map())[0]?.rows).toHaveLength(1);
  });

  test('resets carrier and kind when another mode does not have them', () => {
    expect(withMode({ mode: 'ocean', identifier: 'mbl', carrier: 'MAEU' }, 'air')).toEqual({
      mode: 'air',
      identifier: 'awb',
      carrier: null,
    });
  });
});

describe('planBatches', () => {
  const numbers = Array.from({ length: 600 }, (_, index) => `MAEU${200000000 + index}`).join('\n');

  test('sends every ready row once, in batches', () => {
    const batches = planBatches(read(numbers), common, new Map());
    expect(batches.map(({ rows }) => rows.length)).toEqual([250, 250, 100]);
    expect(new Set(batches.flatMap(({ keys }) => keys)).size).toBe(600);
  });

  test('retries failed and unsent rows only', () => {
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

  test('numbers the reference by position for several shipments, also in a retry', () => {
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

  test('assigns each result to its entry, with the reason of a failure', () => {
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

  test('trims and deduplicates tags', () => {
    expect(readTags(' acme, q2 ,,acme')).toEqual(['acme', 'q2']);
  });
});

it('registers a number of a carrier without polling for pushed events, and never a test shipment', () => {
  const choices = new Map([['QX774100', { mode: 'rail', identifier: 'waybill', carrier: 'UP' } as const]]);
  const numbers = [{ number: 'QX774100', line: 1, label: null }];
  const live = readEntries(numbers, choices, { test: false });
  expect(live[0]).toMatchObject({ state: 'ready', isPushed: true });
  expect(planBatches(live, { reference: '', tags: [] }, new Map())[0]?.rows[0]).toMatchObject({
    carrier: 'UP',
    tracking: { mode: 'pushed' },
  });
  expect(readEntries(numbers, choices, { test: true })[0]?.isPushed).toBe(false);
  const polled = new Map([['QX774100', { mode: 'ocean', identifier: 'mbl', carrier: 'MAEU' } as const]]);
  expect(readEntries(numbers, polled, { test: false })[0]?.isPushed).toBe(false);
});
