import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** The secret that signs cookies. `keyVersion` null: the installation had no key to seal it with. */
export type StoredSigningSecret = { keyVersion: string | null; secret: Buffer };

export async function readSigningSecret(tx: Tx): Promise<StoredSigningSecret | null> {
  const rows = await readRows<StoredSigningSecret>(tx, {
    name: 'read-signing-secret',
    text: 'select key_version, secret from auth.signing_secret',
  });
  return rows[0] ?? null;
}

/** Stores `now` if `was` is still stored. False: another process was faster. */
export async function replaceSigningSecret(
  tx: Tx,
  was: StoredSigningSecret | null,
  now: StoredSigningSecret,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'replace-signing-secret',
    text: `
      insert into auth.signing_secret as s (key_version, secret) values ($1, $2)
      on conflict (the_only) do update set key_version = excluded.key_version, secret = excluded.secret
      where s.secret = $3`,
    values: [now.keyVersion, now.secret, was?.secret ?? null],
  });
  return rowCount === 1;
}

/** False: there was none. */
export async function deleteSigningSecret(tx: Tx): Promise<boolean> {
  const { rowCount } = await tx.query({ name: 'delete-signing-secret', text: 'delete from auth.signing_secret' });
  return rowCount === 1;
}
