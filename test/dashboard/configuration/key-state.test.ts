import { expect, it } from 'vitest';
import {
  endWords,
  isLongEnded,
  isUsableKey,
  keyState,
} from '#services/dashboard/screens/configuration/keys/key-state.ts';

const now = Date.parse('2026-04-15T12:00:00Z');
const key = { expires_at: null, revoked_at: null, rotated_to: null };

it('treats a key without an expiry as active', () => {
  expect(keyState(key, now)).toBe('active');
  expect(endWords(key, now)).toBe('never');
});

it('expires a key at the exact time', () => {
  const ending = { ...key, expires_at: '2026-04-15T12:00:00Z' };
  expect(keyState(ending, now - 1)).toBe('ending');
  expect(keyState(ending, now)).toBe('expired');
  expect(isUsableKey(ending, now)).toBe(false);
});

it('keeps a rotated key usable until its overlap ends, and shows when', () => {
  const rotated = { ...key, expires_at: '2026-04-16T07:00:00Z', rotated_to: 'key_2' };
  expect(keyState(rotated, now)).toBe('rotated');
  expect(isUsableKey(rotated, now)).toBe(true);
  expect(endWords(rotated, now)).toBe('in 19 h');
  expect(keyState(rotated, Date.parse('2026-04-16T07:00:01Z'))).toBe('expired');
});

it('shows an expired key that was revoked as revoked', () => {
  expect(endWords({ ...key, expires_at: '2026-04-01T00:00:00Z', revoked_at: '2026-03-01T00:00:00Z' }, now)).toBe(
    'revoked',
  );
});

it('hides keys that ended long ago, but not recently ended or usable ones', () => {
  expect(isLongEnded({ ...key, revoked_at: '2026-04-10T00:00:00Z' }, now)).toBe(false);
  expect(isLongEnded({ ...key, revoked_at: '2026-04-01T00:00:00Z' }, now)).toBe(true);
  expect(isLongEnded({ ...key, expires_at: '2026-04-01T00:00:00Z' }, now)).toBe(true);
  expect(isLongEnded(key, now)).toBe(false);
});
