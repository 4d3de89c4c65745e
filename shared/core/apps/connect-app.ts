import { toGrantReference } from '#shared/domain/apps/app.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { noteClientUse } from '#shared/store/auth/app-clients.ts';
import { readApps } from '#shared/store/auth/apps.ts';
import { lockApiKey } from '#shared/store/keys/api-keys.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { type Tx, withAuth } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';
import { actorOf, noSuchKey } from '../keys/key-permissions.ts';

/** Apps of one key. */
const maxAppsOfKey = 100;

/** An app that asks for access, as its signed request names it. */
export type AskingApp = { clientId: string; name: string | null; redirectHost: string | null };

/**
 * Lets an app use a key of the account. `consent` stores it with the authorization server, in the same transaction and
 * under the reference of the key, and returns where the browser goes next. Throws LandfallError `api_key_not_found`,
 * `insufficient_scope` when the key can't read shipments, or `invalid_state` when it has ended or has too many apps.
 */
export function connectApp(
  ctx: CoreContext,
  caller: Caller,
  { keyId, app, consent }: { keyId: string; app: AskingApp; consent: (tx: Tx, reference: string) => Promise<string> },
): Promise<string> {
  const { accountId } = caller;
  return withAuth(ctx.store, async (tx) => {
    const locked = await lockApiKey(tx, accountId, { keyId, testOnly: caller.test });
    if (locked === null) throw noSuchKey();
    const { key, active } = locked;
    if (!active)
      throw new LandfallError(
        'invalid_state',
        `This key ${key.revokedAt === null ? 'has expired' : 'was revoked'}. Choose another key.`,
      );
    if (!key.scopes.includes('shipments:read'))
      throw new LandfallError('insufficient_scope', 'This key lacks the scope shipments:read. Choose another key.');
    if ((await readApps(tx, { accountId, keyId })).length >= maxAppsOfKey)
      throw new LandfallError(
        'invalid_state',
        `The key has ${maxAppsOfKey} connected apps, which is the maximum. Disconnect one or choose another key.`,
      );
    const location = await consent(tx, toGrantReference({ accountId, keyId }));
    await noteClientUse(tx, app.clientId);
    await appendAudit(tx, accountId, {
      actor: actorOf(caller),
      action: 'app.connected',
      subjectType: 'api_key',
      subjectId: keyId,
      requestId: caller.requestId,
      detail: {
        app: app.name,
        clientId: app.clientId,
        redirectHost: app.redirectHost,
        key: encodeTypeId('key', keyId),
        keyName: key.name,
      },
    });
    return location;
  });
}
