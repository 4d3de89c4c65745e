import { maxClients, redirectHostOf } from '#shared/domain/apps/app.ts';
import { operatorsAccount } from '#shared/domain/members/role.ts';
import { countClients, deleteUnusedClient } from '#shared/store/auth/app-clients.ts';
import { appendAudit } from '#shared/store/keys/audit.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withAuth, withSystem } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/**
 * Resolves to true when another client may be stored. A full table drops its oldest client that nobody has connected.
 */
export function hasRoomForClient(ctx: CoreContext, most = maxClients): Promise<boolean> {
  return withAuth(ctx.store, async (tx) => (await countClients(tx)) < most || deleteUnusedClient(tx));
}

/** A client that registered itself, or that was found by the document at its id. */
export type NewClient = { clientId: string; name: string | null; redirectUris: readonly string[]; found: boolean };

/** Writes a new client to the audit log of the operators: it belongs to no account yet. */
export async function auditNewClient(ctx: CoreContext, client: NewClient, requestId: string): Promise<void> {
  const { accountId } = await withSystem(ctx.store, (tx) => ensureAccount(tx, operatorsAccount));
  await withAuth(ctx.store, (tx) =>
    appendAudit(tx, accountId, {
      actor: 'system',
      action: client.found ? 'app.found' : 'app.registered',
      subjectType: 'app',
      subjectId: null,
      requestId,
      detail: {
        app: client.name?.slice(0, 200) ?? null,
        clientId: client.clientId,
        redirectHosts: [...new Set(client.redirectUris.map((uri) => redirectHostOf(uri) ?? uri.split(':', 1)[0]))],
      },
    }),
  );
}
