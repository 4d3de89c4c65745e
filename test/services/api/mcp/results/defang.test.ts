import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defang } from '#services/api/mcp/results/defang.ts';
import { cpuMsOf } from '#test/support/cpu.ts';
import { hostileTexts, markupIn } from '#test/support/hostile-texts.ts';
import { runs } from '#test/support/run-scale.ts';

describe('defang', () => {
  it.each(hostileTexts)('leaves no markup in %j', (text) => {
    expect(markupIn(text), 'the table must be hostile').not.toEqual([]);
    expect(markupIn(defang(text))).toEqual([]);
    expect(defang(text).length).toBeGreaterThan(0);
  });

  it('covers at least sixty hostile texts', () => {
    expect(new Set(hostileTexts).size).toBeGreaterThanOrEqual(60);
  });

  it('leaves no markup in any mixture of them, and changes nothing the second time', () => {
    const parts = fc.oneof(
      fc.constantFrom(...hostileTexts),
      fc.constantFrom(...'[]()<>!`*_~#&;:/.@{}%|$'.split(''), 'www.', 'http', 'x', ' ', '\u0301', '\u202e', '&lt;'),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (mixed) => {
        const plain = defang(mixed.join(''));
        expect(markupIn(plain)).toEqual([]);
        expect(defang(plain)).toBe(plain);
      }),
      { numRuns: runs(5000) },
    );
  });

  it.each([
    'PO-7741',
    'PO_12__A/3 [urgent]',
    'Rotterdam, NL',
    'ECT Delta (DDE)',
    "O'Hare & Midway",
    'Ponta Delgada – Açores',
    'Thuận An',
    'กรุงเทพมหานคร',
    '上海港（洋山）',
    'Temp > 5 °C, weight < 20 t',
    'A -> B',
    'Pier #4',
    'c/o Müller; door 3*',
    '2026-04-15T08:00+02:00',
    '2026-06-16T14:00/18:00+02:00',
    'GET /v1/shipments/shp_01kahf3m2xfr5tq4d8z9w6c7yb/events',
    '100 % @ rate 4',
    'No. 5',
  ])('leaves %j as it is', (text) => {
    expect(defang(text)).toBe(text.normalize('NFC'));
  });

  it('keeps the words of what it defangs', () => {
    expect(defang('[Pay the duty](https://evil.example/pay?shp=1) ![map](http://e.example/m.png)')).toBe(
      'Pay the duty (https evil(.)example/pay?shp=1) map (http e(.)example/m.png)',
    );
    expect(defang('<b>Held</b> at customs')).toBe('‹b›Held‹/b› at customs');
  });

  it('takes time in proportion to the text', async () => {
    for (const part of ['[', '![](', '<a ', '&#60;', '**a', '{{', '\u0301', 'http://', '`', '[[a](b)](c)']) {
      // A rule that backtracks takes seconds for this.
      const cpuMs = await cpuMsOf(async () => defang(part.repeat(Math.ceil(2000 / part.length))));
      expect(cpuMs).toBeLessThan(2000);
    }
  });
});
