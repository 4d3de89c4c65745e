import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redirectHostOf } from '#shared/domain/apps/app.ts';
import { readableName } from '#shared/domain/apps/readable-name.ts';

it('shows any name as one short line without hidden characters, and a shown one as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const name = readableName(text);
      if (name === null) return;
      expect(name).toMatch(/^\P{C}+$/u);
      expect(name).not.toMatch(/\p{M}{3}/u);
      expect([...name].length).toBeLessThanOrEqual(80);
      expect(readableName(name)).toBe(name);
    }),
  );
});

it.each([
  ['Claude Code', 'Claude Code'],
  ['  Two\n lines ', 'Two lines'],
  ['\u202Eknab\u202C', 'knab'],
  ['Z\u0301\u0302\u0303\u0304algo', '\u0179\u0302algo'],
  ['\u0000\u200B', null],
  ['Göteborg 港', 'Göteborg 港'],
  ['a'.repeat(100), `${'a'.repeat(79)}…`],
])('reads %j', (text, shown) => {
  expect(readableName(text)).toBe(shown?.normalize('NFC') ?? null);
});

it('names the host of a redirect with its port, and none if it leads into an app', () => {
  expect(redirectHostOf('https://app.example:8443/cb')).toBe('app.example:8443');
  expect(redirectHostOf('com.example.app:/cb')).toBeNull();
});
