import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { parseSecretKeyList } from '#shared/domain/keys/secret-key-list.ts';

const key = () => randomBytes(32).toString('base64');
const [one, two] = [key(), key()];

it.each([
  ['one', `v1:${one}`],
  ['with spaces and line ends', `  v1:${one}\r\n`],
  ['without padding', `v1:${one.slice(0, -1)}`],
])('reads %s', (_, text) => {
  const keys = parseSecretKeyList(text);
  expect(keys?.map(({ version }) => version)).toEqual(['v1']);
  expect(Buffer.from(keys?.[0]?.key ?? '', 'base64').toString('base64')).toBe(one);
});

it('keeps the order, separated by commas or lines', () => {
  for (const separator of [',', ' , ', '\n', '\r\n']) {
    expect(parseSecretKeyList([`v2:${two}`, `v1:${one}`].join(separator))).toEqual([
      { version: 'v2', key: two },
      { version: 'v1', key: one },
    ]);
  }
});

it.each([
  ['no version', one],
  ['an empty version', `:${one}`],
  ['31 bytes', `v1:${randomBytes(31).toString('base64')}`],
  ['33 bytes', `v1:${randomBytes(33).toString('base64')}`],
  ['hex', `v1:${randomBytes(32).toString('hex')}`],
  ['a version twice', `v1:${one},v1:${two}`],
  ['one that is none among others', `v1:${one},nonsense`],
])('refuses %s', (_, text) => {
  expect(parseSecretKeyList(text)).toBeNull();
});

it('reads an empty text as no key', () => {
  expect(parseSecretKeyList('')).toEqual([]);
});
