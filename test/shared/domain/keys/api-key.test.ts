import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { crc32 } from '#shared/domain/crc32.ts';
import { apiKeyBody, formatApiKey, parseApiKey } from '#shared/domain/keys/api-key.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const body = fc.string({ unit: fc.constantFrom(...base62), minLength: 32, maxLength: 32 });

it('uses the standard CRC-32 checksum', () => {
  expect(crc32('123456789')).toBe(0xcbf43926);
});

it('parses every created key with its mode', () => {
  fc.assert(
    fc.property(body, fc.boolean(), (secret, test) => {
      const key = formatApiKey(secret, test);
      expect(key).toMatch(/^svc_(live|test)_[0-9A-Za-z]{38}$/);
      const parts = parseApiKey(key);
      expect(parts).toEqual({ test, prefix: key.slice(0, 13), lastFour: key.slice(-4) });
    }),
  );
});

it('refuses a typo in any place', () => {
  fc.assert(
    fc.property(body, fc.nat({ max: 46 }), fc.constantFrom(...base62), (secret, place, character) => {
      const key = formatApiKey(secret, false);
      const typo = key.slice(0, place) + character + key.slice(place + 1);
      return typo === key || parseApiKey(typo) === null;
    }),
  );
});

it('refuses a live key with the prefix of a test key', () => {
  const key = formatApiKey('A'.repeat(32), false);
  expect(parseApiKey(key.replace('svc_live_', 'svc_test_'))).toBeNull();
});

it.each(['', 'svc_live_', 'svc_live_short', `svc_prod_${'A'.repeat(38)}`, ` ${formatApiKey('A'.repeat(32), false)}`])(
  '%j is no key',
  (text) => {
    expect(parseApiKey(text)).toBeNull();
  },
);

it('creates bodies of 32 characters, even when the first bytes are all rejected', () => {
  let calls = 0;
  const made = apiKeyBody((count) => (calls++ === 0 ? new Uint8Array(count).fill(255) : randomBytes(count)));
  expect(made).toMatch(/^[0-9A-Za-z]{32}$/);
});
