import { toTestBody, toWebhookBody } from '#shared/contract/webhooks/webhook-body.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { createWebhookEndpoint } from '#shared/core/webhooks/create-endpoint.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { shipmentSnapshot } from '#shared/domain/feed/change.ts';
import type { ShipmentChangeType } from '#shared/domain/feed/change-types.ts';
import type { Shipment } from '#shared/domain/record/shipment.ts';
import { openAddressGuard } from '#shared/net/address-guard.ts';
import { openWebhookSender } from '#shared/net/webhook-sender.ts';
import { openQueueBackend } from '#shared/queue/connection.ts';
import { webhookQueue } from '#shared/queue/producer.ts';
import { appendChanges } from '#shared/store/feed/changes.ts';
import { withAccount } from '#shared/store/with-account.ts';
import { oceanRegistration, openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';

const types: readonly ShipmentChangeType[] = [
  'shipment.updated',
  'shipment.status_changed',
  'shipment.eta_changed',
  'shipment.stale',
];
const tags = ['red', 'green', 'blue'];

/** An endpoint, and what it has to get, by a rule of the drill's own. */
export type FleetEndpoint = { id: string; path: string; ordered: boolean; wants: (change: FleetChange) => boolean };
/** `name` is in the change's `traceparent`. */
export type FleetChange = { name: string; type: ShipmentChangeType; tag: string; shipmentId: string };
export type FleetAccount = {
  caller: Caller;
  shipments: Shipment[];
  endpoints: FleetEndpoint[];
  changes: FleetChange[];
};

export type WebhookFleet = {
  core: TestCore;
  accounts: FleetAccount[];
  /** Writes changes to every account. The worker gives them their positions. */
  write: (perAccount: number) => Promise<void>;
  emptyQueue: () => Promise<void>;
  close: () => Promise<void>;
};

const shipmentsPerAccount = 5;

/** Accounts of test mode with endpoints of different types, filters and ordering. */
export async function openWebhookFleet(
  { accounts: count, endpoints }: { accounts: number; endpoints: number },
  { redisUrl, urlOf }: { redisUrl: string | null; urlOf: (path: string) => string },
): Promise<WebhookFleet> {
  const guard = openAddressGuard({ allowHttp: false, allowedNetworks: [], loopbackInTests: true, proxied: false });
  const sender = openWebhookSender({ guard, proxyUrl: null, version: '1' });
  const core = await openTestCore(
    { webhooks: { ...sender, bodyOf: toWebhookBody, testBodyOf: toTestBody } },
    ownDatabase,
  );
  const accounts: FleetAccount[] = [];
  for (let place = 0; place < count; place += 1) {
    const caller = await core.newCaller({ test: true });
    const shipments: Shipment[] = [];
    for (let number = 0; number < shipmentsPerAccount; number += 1)
      shipments.push((await registerShipment(core.ctx, caller, oceanRegistration())).shipment);
    const account: FleetAccount = { caller, shipments, endpoints: [], changes: [] };
    for (let number = 0; number < endpoints; number += 1) {
      const path = `${place}-${number}`;
      const wantedTypes = number % 4 === 0 ? null : types.filter((_type, index) => (number + index) % 4 !== 1);
      const wantedTags = number % 3 === 0 ? null : tags.filter((_tag, index) => (number + index) % 3 !== 0);
      const ordered = number % 5 === 0;
      const { id } = await createWebhookEndpoint(core.ctx, caller, {
        url: urlOf(path),
        types: wantedTypes,
        filter: wantedTags && { tag: wantedTags },
        ordering: ordered ? 'shipment' : 'none',
      });
      const wants = ({ type, tag }: FleetChange): boolean =>
        (wantedTypes?.includes(type) ?? true) && (wantedTags?.includes(tag) ?? true);
      account.endpoints.push({ id, path, ordered, wants });
    }
    accounts.push(account);
  }
  let written = 0;
  return {
    core,
    accounts,
    write: async (perAccount) => {
      for (const { caller, shipments, changes } of accounts) {
        const added = Array.from({ length: perAccount }, () => {
          written += 1;
          const shipment = shipments[written % shipments.length] as Shipment;
          const type = types[written % types.length] as ShipmentChangeType;
          const tag = tags[written % tags.length] as string;
          return { shipment, change: { name: nameOf(written), type, tag, shipmentId: shipment.id } };
        });
        await withAccount(core.store, caller.accountId, (tx) =>
          appendChanges(
            tx,
            caller.accountId,
            added.map(({ shipment, change }) => ({
              type: change.type,
              shipmentId: shipment.id,
              test: true,
              data: { shipment: shipmentSnapshot({ ...shipment, tags: [change.tag] }), changes: {} },
              traceparent: change.name,
            })),
          ),
        );
        changes.push(...added.map(({ change }) => change));
      }
    },
    emptyQueue: async () => {
      const settings = { redisUrl, databaseUrl: core.serviceUrl, prefix: 'landfall_queue', onError: () => undefined };
      const backend = openQueueBackend({ ...settings, poolSize: 1, telemetry: false });
      const queue = backend.openQueue(webhookQueue, null);
      await queue.waitUntilReady();
      await queue.obliterate({ force: true });
      await queue.close();
      await backend.close();
    },
    close: async () => {
      await sender.close();
      await core.close();
    },
  };
}

function nameOf(number: number): string {
  return `00-${number.toString(16).padStart(32, '0')}-00000000000000ff-01`;
}
