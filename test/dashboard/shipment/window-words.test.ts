import { describe, expect, it } from 'vitest';
import { delayWords } from '#services/dashboard/parts/time-words.ts';
import { dimensionWords, loadWords, weightWords } from '#services/dashboard/parts/words/measure-words.ts';
import { windowWords } from '#services/dashboard/parts/words/window-words.ts';
import { timeAt } from './shipment-parts.ts';

const now = Date.parse('2026-05-11T06:00:00Z');
const windowOf = (from: string | null, to: string | null) => ({
  from: from === null ? null : timeAt(from),
  to: to === null ? null : timeAt(to),
});
const day = (local: string) => ({ ...timeAt(`${local}T12:00`), local, precision: 'date' });

describe('a window', () => {
  it.each([
    ['2026-05-11T14:00', '2026-05-11T16:00', 'today 14:00–16:00'],
    ['2026-05-12T09:00', '2026-05-12T12:00', 'tomorrow 09:00–12:00'],
    ['2026-05-10T09:00', '2026-05-10T12:00', 'yesterday 09:00–12:00'],
    ['2026-05-14T20:00', '2026-05-15T02:00', '14 May 20:00 – 15 May 02:00'],
    ['2026-05-11T00:00', '2026-05-11T23:59', 'today'],
    ['2026-05-11T14:00', '2026-05-11T14:00', 'today 14:00'],
    [null, '2026-05-11T18:00', 'today by 18:00'],
    ['2026-05-11T14:00', null, 'today from 14:00'],
    [null, null, ''],
  ])('words a window from %s to %s as %s', (from, to, words) => {
    expect(windowWords(windowOf(from, to), now)).toBe(words);
  });

  it('accepts days without clock times', () => {
    expect(windowWords({ from: day('2026-05-12'), to: day('2026-05-14') }, now)).toBe('tomorrow – 14 May');
    expect(windowWords({ from: null, to: day('2026-05-14') }, now)).toBe('by 14 May');
  });

  it('takes today from the calendar of its place', () => {
    const inAuckland = {
      at: '2026-05-11T02:00:00.000Z',
      local: '2026-05-11T14:00',
      timezone: 'Pacific/Auckland',
      precision: 'minute',
    };
    const evening = Date.parse('2026-05-10T20:00:00Z');
    expect(windowWords({ from: inAuckland, to: null }, evening)).toBe('today from 14:00');
  });
});

it('decides whether a promise is kept by the window, not by the hours', () => {
  expect(delayWords(2, null, 'on_time')).toBe('on time');
  expect(delayWords(5, null, 'late')).toBe('+5 h');
  expect(delayWords(0, null, 'late')).toBe('late');
  expect(delayWords(null, null, 'early')).toBe('early');
  expect(delayWords(0, 30, 'late')).toBe('+30 h, not confirmed');
  expect(delayWords(null, null, 'unknown')).toBeNull();
});

it('names weights, sizes and counts with their units', () => {
  expect([weightWords(0.354), weightWords(12.46), weightWords(12_400)]).toEqual(['0.35 kg', '12.5 kg', '12,400 kg']);
  expect([weightWords(0.004), weightWords(0.02)]).toEqual(['4 g', '20 g']);
  expect(dimensionWords({ length: 40, width: 30.55, height: 20 })).toBe('40 × 30.6 × 20 cm');
  expect(loadWords({ pieces_count: 1, weight_kg: null })).toBe('1 piece');
  expect(loadWords({ pieces_count: 3, weight_kg: 7 })).toBe('3 pieces, 7 kg');
  expect(loadWords({ pieces_count: null, weight_kg: null })).toBeNull();
});
