import type { WireApiKey } from '../../../api/wire.ts';
import { dayWords, relativeWords } from '../../../parts/time-words.ts';

const dayMs = 86_400_000;
const soonMs = 14 * dayMs;
const recentlyMs = 7 * dayMs;

export type KeyState = 'active' | 'ending' | 'rotated' | 'expired' | 'revoked';

type Ends = Pick<WireApiKey, 'expires_at' | 'revoked_at' | 'rotated_to'>;

/** `ending`: expires within two weeks. `rotated`: replaced, and valid until it expires. */
export function keyState(
  { expires_at: expiresAt, revoked_at: revokedAt, rotated_to: rotatedTo }: Ends,
  now: number,
): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  const leftMs = Date.parse(expiresAt) - now;
  if (leftMs <= 0) return 'expired';
  if (rotatedTo !== null) return 'rotated';
  return leftMs <= soonMs ? 'ending' : 'active';
}

/** True when the API accepts the key. */
export function isUsableKey(key: Ends, now: number): boolean {
  return !['expired', 'revoked'].includes(keyState(key, now));
}

/** Ended more than a week ago. A key that ended recently stays in the list: it explains failing requests. */
export function isLongEnded(key: Ends, now: number): boolean {
  if (isUsableKey(key, now)) return false;
  return now - Date.parse(key.revoked_at ?? key.expires_at ?? '') > recentlyMs;
}

/** The column of the expiry: `never`, `30 Jun`, `in 19 h`, `expired`, `revoked`. */
export function endWords(key: Ends, now: number): string {
  const state = keyState(key, now);
  if (state === 'revoked' || state === 'expired') return state;
  if (key.expires_at === null) return 'never';
  return Date.parse(key.expires_at) - now < 2 * dayMs
    ? relativeWords(key.expires_at, now)
    : dayWords(key.expires_at, null, now);
}

/** The choices for the expiry of a new key. */
export const expiryPresets = [
  { id: 'never', name: 'Never', days: null },
  { id: '7d', name: '7 days', days: 7 },
  { id: '30d', name: '30 days', days: 30 },
  { id: '90d', name: '90 days', days: 90 },
  { id: '1y', name: '1 year', days: 365 },
  { id: 'date', name: 'On a date', days: null },
] as const;

export type ExpiryId = (typeof expiryPresets)[number]['id'];

/**
 * When a new key expires, as ISO UTC; null: never. `date` is a local day (`2027-04-15`); the key is valid to its end.
 * Throws RangeError for an invalid or past day.
 */
export function expiresAt(id: ExpiryId, date: string, now: number): string | null {
  if (id === 'date') {
    const end = new Date(`${date}T23:59:59`);
    if (Number.isNaN(end.getTime()) || end.getTime() <= now) throw new RangeError('the day must be in the future');
    return end.toISOString();
  }
  const days = expiryPresets.find((preset) => preset.id === id)?.days ?? null;
  return days === null ? null : new Date(now + days * dayMs).toISOString();
}
