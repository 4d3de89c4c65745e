import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainText } from '#services/worker/carriers/lenient-object.ts';

test('cleans any text to one line that Postgres accepts: no control characters, no unpaired surrogates, at most 500 characters', () => {
  const parts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\u0000', '\ud800', '\udc00', '\n', '\u001b[2J', '😀'.repeat(300)),
  );
  fc.assert(
    fc.property(fc.array(parts), (texts) => {
      const written = plainText(texts.join(''));
      expect(written).not.toMatch(/\p{Cc}/u);
      expect(written.isWellFormed()).toBe(true);
      expect(written.length).toBeLessThanOrEqual(500);
      expect(plainText(written).trimEnd()).toBe(written.trimEnd());
    }),
  );
});
