import { expect, it } from 'vitest';
import { deviceWords } from '#services/dashboard/screens/configuration/sessions/sign-ins.ts';
import { linkTokenOf } from '#services/dashboard/screens/session/links.ts';
import { isPlainHttp, isUsable, passwordHint } from '#services/dashboard/screens/session/password-hint.ts';
import { passwordLength } from '#shared/domain/members/role.ts';

it('reads the token of a link only from the fragment', () => {
  expect(linkTokenOf('#token=Qm7RfK2x')).toBe('Qm7RfK2x');
  expect(linkTokenOf('#token=')).toBeNull();
  expect(linkTokenOf('')).toBeNull();
  expect(linkTokenOf('#other=1')).toBeNull();
});

it('warns about plain HTTP except on the same machine', () => {
  expect(isPlainHttp({ protocol: 'http:', hostname: 'landfall.example' })).toBe(true);
  expect(isPlainHttp({ protocol: 'http:', hostname: '127.0.0.1.evil.example' })).toBe(true);
  expect(isPlainHttp({ protocol: 'https:', hostname: 'landfall.example' })).toBe(false);
  for (const hostname of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]']) {
    expect(isPlainHttp({ protocol: 'http:', hostname })).toBe(false);
  }
});

it('accepts the same password lengths as the API', () => {
  expect(isUsable('x'.repeat(passwordLength.least))).toBe(true);
  expect(isUsable('x'.repeat(passwordLength.least - 1))).toBe(false);
  expect(isUsable('x'.repeat(passwordLength.most))).toBe(true);
  expect(isUsable('x'.repeat(passwordLength.most + 1))).toBe(false);
});

it('rates common and personal passwords as weak, whatever their length', () => {
  expect(passwordHint('aaaaaaaaaaaaaaaaaaaa').strength).toBe('weak');
  expect(passwordHint('abcdefghijklmnop').strength).toBe('weak');
  expect(passwordHint('my-password-2026-x').strength).toBe('weak');
  expect(passwordHint('klara-sails-away', ['Klara Meyer', 'klara@nordwind.example']).strength).toBe('weak');
});

it('rates by length and states how many characters are missing', () => {
  expect(passwordHint('')).toMatchObject({ strength: 'none' });
  expect(passwordHint('kettle')).toEqual({ strength: 'short', text: '4 more required' });
  expect(passwordHint('kettle over').strength).toBe('fair');
  expect(passwordHint('kettle over seven lanterns').strength).toBe('good');
});

it('names a device by browser and system, or by its user agent', () => {
  expect(deviceWords('Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0')).toBe(
    'Firefox on Windows',
  );
  expect(
    deviceWords(
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
    ),
  ).toBe('Edge on macOS');
  expect(
    deviceWords(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    ),
  ).toBe('Safari on iPhone');
  expect(deviceWords('something/1')).toBe('something/1');
  expect(deviceWords(null)).toBe('Unknown device');
});
