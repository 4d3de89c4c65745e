import { expect, it } from 'vitest';
import { isLeakedPassword } from '#services/api/auth/leaked-passwords.ts';
import { guessableBecause } from '#shared/domain/members/guessable-password.ts';

const reason = (password: string, words: string[] = []) =>
  guessableBecause(password, { isLeaked: isLeakedPassword, words });

it.each([
  'qwertyuiop',
  'QwertyUIOP',
  'basketball',
  'basketball!!2024',
  '0987654321',
  'dragondragon',
  'abcabcabcabc1',
  'purplemonkey',
])('refuses %s, which is leaked or much like a leaked password', (password) => {
  expect(reason(password)).toBe('leaked');
});

it.each([
  ['Landfall2026!', []],
  ['shipment tracking', []],
  ['olga.owner@example.test', ['olga.owner@example.test']],
  ['Owner-1985-Olga', ['Olga Owner']],
])('refuses %s, which consists of known words', (password, words) => {
  expect(reason(password, words)).toBe('known_words');
});

it.each(['three unrelated words', 'xkqv-7731-mzpt', 'a landfall by the sea', 'ünïcödé pässphräse'])(
  'accepts %s',
  (password) => {
    expect(reason(password, ['Olga Owner', 'olga@example.test'])).toBeNull();
  },
);

it('knows the most frequent leaked passwords of the length that is required', () => {
  for (const password of ['1234567890', 'password123', 'qwerty12345', 'iloveyou123', 'manchester'])
    expect(isLeakedPassword(password), password).toBe(true);
});
