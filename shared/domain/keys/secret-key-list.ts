/** One of the installation's keys for stored secrets: 32 bytes in base64. */
export type ConfiguredKey = { version: string; key: string };

/** The format of `CREDENTIAL_KEYS`. */
export const secretKeyListForm =
  'must be <version>:<32 bytes in base64>, several separated by commas, for example v2:…,v1:…';

const entryForm = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=?)$/;

/**
 * Parses `v2:<base64>,v1:<base64>`, also separated by line ends. Null: an entry is invalid, or a version comes twice.
 */
export function parseSecretKeyList(text: string): ConfiguredKey[] | null {
  const entries = text
    .split(/[,\r\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const keys = entries.map((entry) => {
    const [, version = '', key = ''] = entryForm.exec(entry) ?? [];
    return { version, key };
  });
  const versions = new Set(keys.map(({ version }) => version));
  return versions.has('') || versions.size < keys.length ? null : keys;
}
