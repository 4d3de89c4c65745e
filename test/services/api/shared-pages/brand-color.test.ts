import fc from 'fast-check';
import { expect, it } from 'vitest';
import { contrast, visibleOn } from '#services/api/shared-pages/brand-color.ts';

const colors = fc
  .tuple(...Array.from({ length: 3 }, () => fc.nat(255)))
  .map((channels) => `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`);

it('agrees with the contrasts that WCAG gives', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  // https://www.w3.org/WAI/WCAG22/Techniques/general/G18 names 4.5 as the limit that #767676 on white just meets.
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2);
});

it.each(['#ffffff', '#101315'])('makes every color visible on %s, and keeps those that are', (background) => {
  fc.assert(
    fc.property(colors, (color) => {
      const shown = visibleOn(background, color);
      expect(contrast(shown, background)).toBeGreaterThanOrEqual(3);
      if (contrast(color, background) >= 3) expect(shown).toBe(color);
    }),
  );
});
