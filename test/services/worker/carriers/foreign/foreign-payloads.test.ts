import { describe, expect, it } from 'vitest';
import { firstRound, foreignCarriers } from './all-carriers.ts';
import { readForeign } from './foreign-payload.ts';

it('evaluates at least 60 payloads of at least 12 carriers', () => {
  expect(firstRound.length).toBeGreaterThanOrEqual(12);
  expect(firstRound.flatMap(({ payloads }) => payloads).length).toBeGreaterThanOrEqual(60);
});

describe.each(foreignCarriers)('$connector', (carrier) => {
  it.each(carrier.payloads)('reads $name', async (payload) => {
    expect(await readForeign(carrier, payload)).toMatchObject(payload.expected);
  });
});
