import { LandfallError } from '#shared/domain/errors.ts';
import type { ConfiguredKey } from '#shared/domain/keys/secret-key-list.ts';

/**
 * Owner and purpose of a secret. They are authenticated data: a row copied to another account, purpose or id can't be
 * decrypted. `accountId` null: the installation itself.
 */
export type SecretOwner = { accountId: string | null; purpose: string; id: string };

/** As stored. `keyVersion` names the installation key that wraps the secret's own key inside `sealed`. */
export type SealedSecret = { keyVersion: string; sealed: Buffer };

/** An AES-256-GCM key. */
export type SecretKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;

/** The installation's keys, which can't be exported. `present` is the version that seals; every key can unseal. */
export type SecretKeys = { present: string; byVersion: ReadonlyMap<string, SecretKey> };

/** A stored secret that can't be decrypted: its key isn't configured, or the row was changed or copied. Safe to log. */
export class SecretUnreadable extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'SecretUnreadable';
  }
}

type SecretContext = { secretKeys: SecretKeys | null };

/** First byte of a sealed secret, so that the layout can change later. */
const layout = 1;
const ivBytes = 12;
const dataKeyBytes = 32;
const tagBytes = 16;
const wrappedBytes = ivBytes + dataKeyBytes + tagBytes;

/** Imports the configured keys. The first one becomes the current key. Null: there are none. */
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
 * Encrypts a text with AES-256-GCM under a random key of its own, which the installation's current key wraps. Both are
 * bound to the owner. Throws LandfallError `invalid_state` when the installation has no keys.
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

/** Decrypts a sealed text. Throws `SecretUnreadable`. */
export async function openSecret(ctx: SecretContext, owner: SecretOwner, stored: SealedSecret): Promise<string> {
  const aad = additionalData(owner);
  const { wrapped, body } = split(stored.sealed);
  const dataKey = await decrypt(keyOf(ctx, stored.keyVersion), aad, wrapped);
  const opened = await decrypt(await importSecretKey(dataKey), aad, body);
  dataKey.fill(0);
  return new TextDecoder().decode(opened);
}

/**
 * Wraps the secret's key with the installation's current key; the text itself isn't decrypted. Throws
 * `SecretUnreadable`, or LandfallError `invalid_state` when the installation has no keys.
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
    'This installation cannot store secrets yet. Set CREDENTIAL_KEYS or CREDENTIAL_KEYS_FILE for all its processes.',
  );
}

function presentKey(keys: SecretKeys): SecretKey {
  const key = keys.byVersion.get(keys.present);
  if (key === undefined) throw new Error('the current key is missing from the keys');
  return key;
}

function keyOf({ secretKeys }: SecretContext, version: string): SecretKey {
  const key = secretKeys?.byVersion.get(version);
  if (key === undefined) {
    throw new SecretUnreadable(`a stored secret needs the key ${version}, which is not in CREDENTIAL_KEYS`);
  }
  return key;
}

/** JSON keeps the encodings of two owners distinct. */
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

/** Initialization vector, then ciphertext and tag. The vector is random: one key wraps far fewer than 2^32 secrets. */
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
      'a stored secret cannot be decrypted: it was changed, belongs to another owner, or was sealed with another key',
    );
  }
}

/** `bytes`: 32 of them. The key can't be exported again. */
function importSecretKey(bytes: Uint8Array<ArrayBuffer>): Promise<SecretKey> {
  return globalThis.crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
