import { LRUCache } from 'lru-cache';
import { batch } from '#shared/async/batch.ts';
import { withDeadline } from '#shared/async/deadline.ts';
import type { Scope } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { parseApiKey } from '#shared/domain/keys/api-key.ts';
import { type Limits, limitsOf } from '#shared/domain/keys/limits.ts';
import type { Store } from '#shared/store/open-store.ts';
import { unavailabilityOf } from '#shared/store/store-errors.ts';
import { type FoundApiKey, findApiKeys, noteApiKeyUse } from '#shared/store/system/find-api-key.ts';
import type { CoreContext } from '../core-context.ts';
import { sha256Hex } from '../secrets/new-secret.ts';

export type Authentication = {
  accountId: string;
  /** For a token of a connected app: the key that it was connected to, whose limits it shares. */
  keyId: string;
  /** The key is a token of a connected app, which opens the MCP endpoint for OAuth and nothing else. */
  isAppToken: boolean;
  scopes: readonly Scope[];
  test: boolean;
  limits: Limits;
};

type CachedKey = { found: Promise<FoundApiKey | null>; key: Authentication | null };

/** Less than the second within which a revoked key must be refused. */
const cacheMs = 800;
const maxCachedKeys = 10_000;
/**
 * A stream of wrong keys may keep only some of the connections busy, so that others wait for one statement at most and
 * no good key has to be refused.
 */
const lookUpsAtOnce = { maxSize: 200, maxRunning: 1 };

/** A server that says nothing holds a look-up for 9 s with a new connection, and the next one waits for it. */
const lookUpMs = 5000;

type Keys = { cache: LRUCache<string, CachedKey>; find: (keyHash: string) => Promise<FoundApiKey | null> };
const keysByStore = new WeakMap<Store, Keys>();

/**
 * Resolves an API key. A mistyped key is refused without a query; a valid one costs one lookup per second. Throws
 * LandfallError `invalid_api_key`, `expired_api_key`, `revoked_api_key`, `unavailable`.
 */
export async function authenticateKey(ctx: CoreContext, presented: string): Promise<Authentication> {
  if (parseApiKey(presented) === null) throw invalidKey();
  const keyHash = sha256Hex(presented);
  const found = await lookUp(ctx, keyHash);
  if (found === null) throw invalidKey();
  if (found.revoked) throw new LandfallError('revoked_api_key', 'The API key was revoked. Use another key.');
  if (found.expired) throw new LandfallError('expired_api_key', 'The API key has expired. Use another key.');
  return authenticationOf(found);
}

/** The result of `authenticateKey` if it is cached and valid, so that most requests need not await. */
export function knownKey(ctx: CoreContext, presented: string): Authentication | null {
  return keysByStore.get(ctx.store)?.cache.get(sha256Hex(presented))?.key ?? null;
}

async function lookUp(ctx: CoreContext, keyHash: string): Promise<FoundApiKey | null> {
  const { cache } = keysOf(ctx.store);
  const cached = cache.get(keyHash);
  if (cached !== undefined) return cached.found;
  const found = withDeadline(readKey(ctx, keyHash), lookUpMs, tooLate);
  const entry: CachedKey = { found, key: null };
  cache.set(keyHash, entry);
  try {
    const key = await found;
    // Unknown keys are not cached: a stream of guesses must not fill the cache.
    if (key === null) cache.delete(keyHash);
    else if (!key.revoked && !key.expired) entry.key = authenticationOf(key);
    return key;
  } catch (error) {
    cache.delete(keyHash);
    throw error;
  }
}

function tooLate(): LandfallError {
  return new LandfallError('unavailable', 'Service temporarily unavailable.', { retryAfterS: 2 });
}

function authenticationOf({ accountId, keyId, parentId, scopes, test, limits }: FoundApiKey): Authentication {
  return { accountId, keyId: parentId ?? keyId, isAppToken: parentId !== null, scopes, test, limits: limitsOf(limits) };
}

async function readKey(ctx: CoreContext, keyHash: string): Promise<FoundApiKey | null> {
  try {
    const key = await keysOf(ctx.store).find(keyHash);
    if (key?.useIsOld && !key.revoked && !key.expired) noteUse(ctx, key);
    return key;
  } catch (error) {
    throw unavailabilityOf(error) ?? error;
  }
}

/** Runs in the background: the request doesn't wait for it. */
function noteUse(ctx: CoreContext, key: FoundApiKey): void {
  noteApiKeyUse(ctx.store, key).catch((error: unknown) =>
    ctx.log.warn({ err: error, keyId: key.keyId }, 'API key use not recorded'),
  );
}

function keysOf(store: Store): Keys {
  const known = keysByStore.get(store);
  if (known !== undefined) return known;
  const keys: Keys = {
    cache: new LRUCache({ max: maxCachedKeys, ttl: cacheMs, ttlResolution: 0 }),
    find: batch({ ...lookUpsAtOnce, run: (keyHashes) => findApiKeys(store, keyHashes) }),
  };
  keysByStore.set(store, keys);
  return keys;
}

function invalidKey(): LandfallError {
  return new LandfallError('invalid_api_key', 'Invalid API key.');
}
