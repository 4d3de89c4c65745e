import { randomUUID } from 'node:crypto';
import { toTestBody, toWebhookBody } from '#shared/contract/webhooks/webhook-body.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import type { CoreParts } from '#shared/core/open-core.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { type ShipmentChanges, shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { ShipmentChangeType } from '#shared/domain/feed/change-types.ts';
import type { Role } from '#shared/domain/members/role.ts';
import { scopesOfRole } from '#shared/domain/members/role.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { openAddressGuard } from '#shared/net/address-guard.ts';
import { openWebhookSender } from '#shared/net/webhook-sender.ts';
import { ensureOrganization, insertMember } from '#shared/store/auth/members.ts';
import { appendChanges } from '#shared/store/feed/changes.ts';
import { withAccount, withAuth } from '#shared/store/with-account.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

/** A member who can have views and alerts. */
export type Person = { caller: Caller; userId: string; email: string; name: string };

/** Fields that a written change sets on its shipment; the others keep their values. */
export type Written = {
  shipment: Shipment;
  type: ShipmentChangeType;
  changes?: ShipmentChanges;
  /** Raises the version. */
  now?: Partial<Pick<Shipment, 'tags' | 'needsAttention' | 'archivedAt'>> & {
    journey?: Partial<Shipment['journey']>;
    tracking?: Partial<Shipment['tracking']>;
  };
};

export type AlertWorld = {
  core: TestCore;
  caller: Caller;
  addPerson: (changes?: { name?: string; email?: string; role?: Role }) => Promise<Person>;
  register: (changes?: Parameters<typeof oceanRegistration>[0]) => Promise<Shipment>;
  /** Writes changes in this order, in one transaction, and returns the shipments as they are afterwards. */
  write: (written: readonly Written[]) => Promise<void>;
  /** Gives written changes their sequences. */
  sequence: () => Promise<void>;
  close: () => Promise<void>;
};

/** An account of test mode with people, whose feed a test writes itself. */
export async function openAlertWorld(parts: Partial<CoreParts> = {}): Promise<AlertWorld> {
  const guard = openAddressGuard({ allowHttp: false, allowedNetworks: [], loopbackInTests: true, proxied: false });
  const sender = openWebhookSender({ guard, proxyUrl: null, version: '1' });
  const core = await openTestCore(
    { webhooks: { ...sender, bodyOf: toWebhookBody, testBodyOf: toTestBody }, ...parts },
    ownDatabase,
  );
  const caller = await core.newCaller({ test: true });
  const { accountId } = caller;
  await withAuth(core.store, (tx) => ensureOrganization(tx, { accountId, name: `test ${accountId}` }));
  /** Snapshots are those of the last write. */
  const last = new Map<string, Shipment>();
  return {
    core,
    caller,
    addPerson: async ({ name = 'Ada Person', email = `${randomUUID()}@example.com`, role = 'owner' } = {}) => {
      const userId = await withAuth(core.store, async (tx) => {
        const { rows } = await tx.query<{ id: string }>(
          'insert into auth.users (name, email) values ($1, $2) returning id',
          [name, email],
        );
        const id = rows[0]?.id ?? '';
        await insertMember(tx, accountId, { userId: id, role });
        return id;
      });
      return { caller: { ...caller, userId, scopes: scopesOfRole[role] }, userId, email, name };
    },
    register: async (changes) => {
      const { shipment } = await registerShipment(core.ctx, caller, oceanRegistration(changes));
      last.set(shipment.id, shipment);
      return shipment;
    },
    write: async (written) => {
      const rows = written.map(({ shipment, type, changes = {}, now }) => {
        const before = last.get(shipment.id) ?? shipment;
        const after =
          now === undefined
            ? before
            : {
                ...before,
                ...now,
                version: before.version + 1,
                updatedAt: core.ctx.now().toISOString(),
                journey: { ...before.journey, ...now.journey },
                tracking: { ...before.tracking, ...now.tracking },
              };
        last.set(shipment.id, after);
        const data = { shipment: shipmentSnapshot(after), changes };
        return { type, shipmentId: shipment.id, test: true, data, traceparent: null };
      });
      await withAccount(core.store, accountId, (tx) => appendChanges(tx, accountId, rows));
    },
    sequence: async () => {
      while (((await sequenceChanges(core.ctx)) ?? 1) > 0);
    },
    close: async () => {
      await sender.close();
      await core.close();
    },
  };
}
