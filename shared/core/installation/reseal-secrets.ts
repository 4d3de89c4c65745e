import { readOtherwiseSealed, writeResealed } from '#shared/store/system/credentials/carrier-credentials.ts';
import {
  readOtherwiseSealedTexts,
  type SealedTable,
  type SealedText,
  writeResealedText,
} from '#shared/store/system/credentials/sealed-texts.ts';
import { type Tx, withSystem } from '#shared/store/with-account.ts';
import { channelSecretOwner, channelUrlOwner } from '../alerts/channel-secrets.ts';
import { subscriptionSecretOwner } from '../carrier-subscriptions/subscription-secret.ts';
import type { CoreContext } from '../core-context.ts';
import {
  credentialOwner,
  resealSecret,
  type SealedSecret,
  type SecretOwner,
  SecretUnreadable,
} from '../secrets/seal-secret.ts';
import { webhookHeadersOwner, webhookSecretOwner } from '../webhooks/endpoint-secrets.ts';

const batchSize = 100;

/** `unreadable`: the key is no longer configured, or the secret was tampered with. */
export type Resealed = { resealed: number; unreadable: number };

/** `write` returns false when the secret has changed since it was read. */
type StoredSecret = {
  id: string;
  owner: SecretOwner;
  stored: SealedSecret;
  write: (tx: Tx, now: SealedSecret) => Promise<boolean>;
};
type ReadSecrets = (
  tx: Tx,
  search: { keyVersion: string; after: string | null; limit: number },
) => Promise<StoredSecret[]>;

/** Every sealed table. A table that is missing here loses its secrets when a key is retired. */
const sealedTables: ReadSecrets[] = [
  async (tx, search) =>
    (await readOtherwiseSealed(tx, search)).map((was) => ({
      id: was.id,
      owner: credentialOwner(was),
      stored: was,
      write: (writing, now) => writeResealed(writing, was, now),
    })),
  textsOf('carrier_subscriptions', subscriptionSecretOwner),
  textsOf('webhook_endpoints', (was) => (was.which === 'headers' ? webhookHeadersOwner(was) : webhookSecretOwner(was))),
  textsOf('alert_channels', (was) => (was.which === 'url' ? channelUrlOwner(was) : channelSecretOwner(was))),
];

function textsOf<Table extends SealedTable>(
  table: Table,
  ownerOf: (was: SealedText<Table>) => SecretOwner,
): ReadSecrets {
  return async (tx, search) =>
    (await readOtherwiseSealedTexts(tx, table, search)).map((was) => ({
      id: was.id,
      owner: ownerOf(was),
      stored: was,
      write: (writing, now) => writeResealedText(writing, table, { was, now }),
    }));
}

/**
 * Reseals secrets with the current key. A secret that changes at the same time is skipped: it was sealed with that key
 * already. Nothing is lost while CREDENTIAL_KEYS still has the old key.
 */
export async function resealSecrets(ctx: CoreContext, signal: AbortSignal): Promise<Resealed> {
  const done: Resealed = { resealed: 0, unreadable: 0 };
  if (ctx.secretKeys === null) return done;
  const keyVersion = ctx.secretKeys.present;
  for (const read of sealedTables) {
    let after: string | null = null;
    while (!signal.aborted) {
      const batch: StoredSecret[] = await withSystem(ctx.store, (tx) =>
        read(tx, { keyVersion, after, limit: batchSize }),
      );
      for (const secret of batch) {
        const outcome = await resealOne(ctx, secret);
        if (outcome !== 'changed') done[outcome] += 1;
      }
      after = batch.at(-1)?.id ?? null;
      if (after === null) break;
    }
  }
  return done;
}

async function resealOne(
  ctx: CoreContext,
  { owner, stored, write }: StoredSecret,
): Promise<'resealed' | 'unreadable' | 'changed'> {
  try {
    const now = await resealSecret(ctx, owner, stored);
    return (await withSystem(ctx.store, (tx) => write(tx, now))) ? 'resealed' : 'changed';
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    ctx.log.error({ err: error, owner }, 'stored secret cannot be decrypted');
    return 'unreadable';
  }
}
