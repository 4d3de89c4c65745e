import { expect, it } from 'vitest';
import { preferredLanguage } from '#shared/domain/shares/share.ts';

it.each([
  ['de-CH,de;q=0.9,en;q=0.8', 'de'],
  ['it,fr;q=0.5,ja;q=0.7', 'ja'],
  ['zh-Hant-TW', 'zh'],
  ['en;q=0, nl', 'nl'],
  ['it, sv', null],
  ['', null],
  ['*', null],
  [`${'x,'.repeat(10_000)}de`, null],
])('reads the language of %j', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});
