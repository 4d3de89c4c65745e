import { expect, it } from 'vitest';
import {
  endWords,
  isLongEnded,
  isUsableKey,
  keyState,
} from '#services/dashboard/screens/configuration/keys/key-state.ts';

const now = Date.parse('2026-04-15T12:00:00Z');
const key = { expires_at: null, revoked_at: null, rotated_to: null };

it('a key without an end is active, and never ends', () => {
  expect(keyState(key, now)).toBe('active');
  expect(endWords(key, now)).toBe('never');
});

it('a key ends at the moment of its expiry, not after it', () => {
  const ending = { ...key, expires_at: '2026-04-15T12:00:00Z' };
  expect(keyState(ending, now - 1)).toBe('ending');
  expect(keyState(ending, now)).toBe('expired');
  expect(isUsableKey(ending, now)).toBe(false);
});

it('a rotated key is usable until its overlap is over, and says when that is', () => {
  const rotated = { ...key, expires_at: '2026-04-16T07:00:00Z', rotated_to: 'key_2' };
  expect(keyState(rotated, now)).toBe('rotated');
  expect(isUsableKey(rotated, now)).toBe(true);
  expect(endWords(rotated, now)).toBe('in 19 h');
  expect(keyState(rotated, Date.parse('2026-04-16T07:00:01Z'))).toBe('expired');
});

it('revoked is said even of a key that has expired besides', () => {
  expect(endWords({ ...key, expires_at: '2026-04-01T00:00:00Z', revoked_at: '2026-03-01T00:00:00Z' }, now)).toBe(
    'revoked',
  );
});

it('what ended lately stays in sight, what ended long ago does not, and what works always does', () => {
  expect(isLongEnded({ ...key, revoked_at: '2026-04-10T00:00:00Z' }, now)).toBe(false);
  expect(isLongEnded({ ...key, revoked_at: '2026-04-01T00:00:00Z' }, now)).toBe(true);
  expect(isLongEnded({ ...key, expires_at: '2026-04-01T00:00:00Z' }, now)).toBe(true);
  expect(isLongEnded(key, now)).toBe(false);
});
