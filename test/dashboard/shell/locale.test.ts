import { afterEach, describe, expect, it } from 'vitest';
import { clockWords, dayWords, momentWords } from '#services/dashboard/parts/time-words.ts';
import { clockText, numberLocale, setLocale } from '#services/dashboard/parts/words/locale.ts';
import { windowWords } from '#services/dashboard/parts/words/window-words.ts';
import { carrierMoment } from '#services/dashboard/screens/shipment/carrier-time.ts';

afterEach(() => setLocale(undefined));

const at = '2026-04-25T13:05:00Z';
const now = Date.parse('2026-06-01T00:00:00Z');
const shown = () => [momentWords(at, { zone: 'UTC', now }), (1234.5).toLocaleString(numberLocale())];

describe('the viewer’s locale', () => {
  it.each([
    ['en-GB', '25 Apr 13:05', '1,234.5'],
    ['en-US', 'Apr 25 1:05 PM', '1,234.5'],
    ['de-DE', '25 Apr 13:05', '1.234,5'],
    ['fr-FR', '25 Apr 13:05', '1 234,5'],
    ['en-AU', '25 Apr 1:05 PM', '1,234.5'],
    ['ja-JP', 'Apr 25 13:05', '1,234.5'],
    ['en-US-u-hc-h23', 'Apr 25 13:05', '1,234.5'],
    ['ar-EG', '25 Apr 1:05 PM', '1,234.5'],
  ])('%s writes %s and %s, with English words', (tag, moment, number) => {
    setLocale(tag);
    expect(shown()).toEqual([moment, number.replace(' ', '\u202f')]);
  });

  it.each([undefined, 'no such locale', ''])('falls back to 24 hours and day first: %s', (tag) => {
    setLocale('en-US');
    setLocale(tag);
    expect(shown()).toEqual(['25 Apr 13:05', '1,234.5']);
  });

  it('puts the year where the order of day and month wants it', () => {
    setLocale('en-US');
    expect(dayWords('2025-12-31', null, now)).toBe('Dec 31, 2025');
    setLocale('de-DE');
    expect(dayWords('2025-12-31', null, now)).toBe('31 Dec 2025');
  });

  it('reaches the times of carriers, windows and clocks', () => {
    setLocale('en-US');
    const time = {
      at,
      local: '2026-04-25T15:05:00',
      timezone: 'Europe/Berlin',
      zone_source: 'place',
      precision: 'minute',
    };
    expect(carrierMoment(time, now)).toBe('Apr 25 3:05 PM CEST');
    expect(windowWords({ from: time, to: { ...time, local: '2026-04-25T17:00:00' } }, now)).toBe(
      'Apr 25 3:05 PM–5:00 PM',
    );
    expect(clockWords(at, { zone: 'UTC' })).toBe('1:05 PM');
  });

  it('reads every hour of the day as people of a clock with twelve hours do', () => {
    setLocale('en-US');
    const hours = Array.from({ length: 24 }, (_, hour) => clockText(`${String(hour).padStart(2, '0')}:30`));
    const evaluated = Array.from({ length: 24 }, (_, hour) =>
      new Date(2026, 0, 1, hour, 30)
        .toLocaleTimeString('en-US', { hour: 'numeric', minute: '2-digit' })
        .replace('\u202f', ' '),
    );
    expect(hours).toEqual(evaluated);
  });
});
