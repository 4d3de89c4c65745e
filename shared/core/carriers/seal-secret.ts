import { LandfallError } from '#shared/domain/errors.ts';
import type { ConfiguredKey } from '#shared/domain/keys/secret-key-list.ts';

/**
 * What a secret belongs to. It is sealed in: a row that was copied to another account, purpose or id does not open. `accountId` null: the
 * installation's own.
 */
export type SecretOwner = { accountId: string | null; purpose: string; id: string };

/** As it is stored: `keyVersion` names the installation's key that wraps the secret's own key inside `sealed`. */
export type SealedSecret = { keyVersion: string; sealed: Buffer };

/** A key of AES-256-GCM. */
export type SecretKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;

/** The keys that seal secrets, unable to show themselves. `present` is the version that seals; all of them open. */
export type SecretKeys = { present: string; byVersion: ReadonlyMap<string, SecretKey> };

/** A stored secret that cannot be opened: its key is not configured, or it was changed or copied. The message is safe to log. */
export class SecretUnreadable extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'SecretUnreadable';
  }
}

type SecretContext = { secretKeys: SecretKeys | null };

/** First byte of what is stored, so that another layout can follow one day. */
const layout = 1;
const ivBytes = 12;
const dataKeyBytes = 32;
const tagBytes = 16;
const wrappedBytes = ivBytes + dataKeyBytes + tagBytes;

/** Takes over configured keys, the first one as the present one; null when there are none. */
export async function openSecretKeys(configured: readonly ConfiguredKey[]): Promise<SecretKeys | null> {
  const [first] = configured;
  if (first === undefined) return null;
  const opened = await Promise.all(
    configured.map(async ({ version, key }) => {
      const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
      return [version, await importSecretKey(bytes)] as const;
    }),
  );
  return { present: first.version, byVersion: new Map(opened) };
}

/**
 * Seals a text: AES-256-GCM under a random key of its own, which is wrapped by the installation's present key, both bound to the owner. Throws
 * LandfallError `invalid_state` when the installation has no keys.
 */
export async function sealSecret(ctx: SecretContext, owner: SecretOwner, plaintext: string): Promise<SealedSecret> {
  const keys = ctx.secretKeys;
  if (keys === null) throw noKeys();
  const dataKey = globalThis.crypto.getRandomValues(new Uint8Array(dataKeyBytes));
  const aad = additionalData(owner);
  const [wrapped, body] = await Promise.all([
    encrypt(presentKey(keys), aad, dataKey),
    importSecretKey(dataKey).then((key) => encrypt(key, aad, new TextEncoder().encode(plaintext))),
  ]);
  dataKey.fill(0);
  return { keyVersion: keys.present, sealed: Buffer.concat([Buffer.of(layout), wrapped, body]) };
}

/** The text. Throws `SecretUnreadable`. */
export async function openSecret(ctx: SecretContext, owner: SecretOwner, stored: SealedSecret): Promise<string> {
  const aad = additionalData(owner);
  const { wrapped, body } = split(stored.sealed);
  const dataKey = await decrypt(keyOf(ctx, stored.keyVersion), aad, wrapped);
  const opened = await decrypt(await importSecretKey(dataKey), aad, body);
  dataKey.fill(0);
  return new TextDecoder().decode(opened);
}

/**
 * The same secret under the installation's present key; the text itself is not opened. Throws `SecretUnreadable`, or LandfallError
 * `invalid_state` when the installation has no keys.
 */
export async function resealSecret(
  ctx: SecretContext,
  owner: SecretOwner,
  stored: SealedSecret,
): Promise<SealedSecret> {
  const keys = ctx.secretKeys;
  if (keys === null) throw noKeys();
  const aad = additionalData(owner);
  const { wrapped, body } = split(stored.sealed);
  const dataKey = await decrypt(keyOf(ctx, stored.keyVersion), aad, wrapped);
  const rewrapped = await encrypt(presentKey(keys), aad, dataKey);
  dataKey.fill(0);
  return { keyVersion: keys.present, sealed: Buffer.concat([Buffer.of(layout), rewrapped, body]) };
}

/** Binds an account's credentials at a carrier to their row. */
export function credentialOwner(row: { accountId: string; carrier: string; id: string }): SecretOwner {
  return { accountId: row.accountId, purpose: `carrier-credentials:${row.carrier}`, id: row.id };
}

function noKeys(): LandfallError {
  return new LandfallError(
    'invalid_state',
    'This installation cannot keep secrets yet: its operator has to set CREDENTIAL_KEYS (or CREDENTIAL_KEYS_FILE) for the API and the workers; nothing was stored',
  );
}

function presentKey(keys: SecretKeys): SecretKey {
  const key = keys.byVersion.get(keys.present);
  if (key === undefined) throw new Error('the present key is not among the keys');
  return key;
}

function keyOf({ secretKeys }: SecretContext, version: string): SecretKey {
  const key = secretKeys?.byVersion.get(version);
  if (key === undefined) {
    throw new SecretUnreadable(`a stored secret needs the key ${version}, which CREDENTIAL_KEYS does not name`);
  }
  return key;
}

/** JSON, so that no two owners read the same. */
function additionalData({ accountId, purpose, id }: SecretOwner): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(['landfall-secret', layout, accountId, purpose, id]));
}

function split(sealed: Buffer): { wrapped: Uint8Array<ArrayBuffer>; body: Uint8Array<ArrayBuffer> } {
  if (sealed[0] !== layout || sealed.length < 1 + wrappedBytes + ivBytes + tagBytes) {
    throw new SecretUnreadable('a stored secret has an unknown layout');
  }
  const bytes = new Uint8Array(sealed);
  return { wrapped: bytes.slice(1, 1 + wrappedBytes), body: bytes.slice(1 + wrappedBytes) };
}

/** Initialisation vector (random, 96 bits: one key wraps far fewer than 2^32 secrets), then ciphertext and tag. */
async function encrypt(
  key: SecretKey,
  additional: Uint8Array<ArrayBuffer>,
  plain: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array> {
  const iv = globalThis.crypto.getRandomValues(new Uint8Array(ivBytes));
  const sealed = await globalThis.crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: additional },
    key,
    plain,
  );
  return Buffer.concat([iv, new Uint8Array(sealed)]);
}

async function decrypt(
  key: SecretKey,
  additional: Uint8Array<ArrayBuffer>,
  sealed: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const parameters = { name: 'AES-GCM', iv: sealed.slice(0, ivBytes), additionalData: additional };
  try {
    return new Uint8Array(await globalThis.crypto.subtle.decrypt(parameters, key, sealed.slice(ivBytes)));
  } catch {
    throw new SecretUnreadable(
      'a stored secret does not open: it was changed, or belongs to something else, or its key is another one',
    );
  }
}

/** From 32 bytes; it cannot be read back. */
function importSecretKey(bytes: Uint8Array<ArrayBuffer>): Promise<SecretKey> {
  return globalThis.crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
