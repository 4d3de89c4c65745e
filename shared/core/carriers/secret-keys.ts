import type { ConfiguredKey } from '#shared/domain/keys/secret-key-list.ts';

/** A key of AES-256-GCM. */
export type SecretKey = Awaited<ReturnType<typeof globalThis.crypto.subtle.importKey>>;

/** The keys that seal secrets, unable to show themselves. `present` is the version that seals; all of them open. */
export type SecretKeys = { present: string; byVersion: ReadonlyMap<string, SecretKey> };

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

/** From 32 bytes; it cannot be read back. */
export function importSecretKey(bytes: Uint8Array<ArrayBuffer>): Promise<SecretKey> {
  return globalThis.crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}
