import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { fairQueue } from '#shared/async/fair-queue.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { sha256Hex } from '../secrets/new-secret.ts';

/** OWASP's minimum for scrypt (password storage cheat sheet): N=2^16, r=8, p=2 takes 64 MiB. */
const cost = { N: 2 ** 16, r: 8, p: 2, maxmem: 128 * 1024 * 1024 } as const;
const keyBytes = 32;
/** Each hash holds 64 MiB, and strangers may try passwords: pages take turns. */
const turns = fairQueue({
  maxRunning: 2,
  maxRunningOfKey: 1,
  maxWaitingOfKey: 20,
  maxWaitMs: 10_000,
  refusal: () => new LandfallError('unavailable', 'Service temporarily unavailable.', { retryAfterS: 10 }),
  cancellation: () => new LandfallError('unavailable', 'Service temporarily unavailable.'),
});

/** `scrypt:<salt>:<key>`, both in base64url. Throws LandfallError `unavailable` when too many wait. */
export async function hashSharePassword(password: string, accountId: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await turns.run(accountId, () => derive(password, salt));
  return `scrypt:${salt.toString('base64url')}:${key.toString('base64url')}`;
}

export async function isSharePassword(
  password: string,
  of: { shareId: string; passwordHash: string },
): Promise<boolean> {
  const [, salt = '', stored = ''] = of.passwordHash.split(':');
  const key = await turns.run(of.shareId, () => derive(password, Buffer.from(salt, 'base64url')));
  const expected = Buffer.from(stored, 'base64url');
  return expected.length === key.length && timingSafeEqual(expected, key);
}

/**
 * Returns the value that a browser keeps after the right password. It is derived from the salted hash, which only the
 * database has, so that another password gives another value.
 */
export function shareAdmission(shareId: string, passwordHash: string): string {
  return sha256Hex(`share admission ${shareId} ${passwordHash}`);
}

/** Keyboards write the same letter in different ways, which NFKC makes one. */
function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, keyBytes, cost, (error, key) =>
      error === null ? resolve(key) : reject(error),
    ),
  );
}
