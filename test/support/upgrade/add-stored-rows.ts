import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openScriptCore } from '#infra/installation/open-script-core.ts';
import { newSubscriptionSecret } from '#shared/core/carrier-subscriptions/subscription-secret.ts';
import { openSecretKeys } from '#shared/core/secrets/seal-secret.ts';
import { parseSecretKeyList } from '#shared/domain/keys/secret-key-list.ts';
import { decodeTypeId } from '#shared/domain/type-id.ts';
import { insertDelivery } from '#shared/store/carrier-subscriptions/carrier-deliveries.ts';
import { keepVesselPositions } from '#shared/store/positions/vessel-positions.ts';
import { settleShipment } from '#shared/store/settling/settle-shipment.ts';
import { keepProof } from '#shared/store/shipments/proofs.ts';
import { insertSubscription } from '#shared/store/system/carrier-subscriptions.ts';
import { insertUnreadableEvents } from '#shared/store/tracking/insert-unreadable-events.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';
import type { Added } from './add-rows.ts';

/** Adds by the store what only carriers and ships send, and settles a shipment. Call it while no worker runs. */
export async function addStoredRows(
  { databaseUrl, keysFile }: { databaseUrl: string; keysFile: string },
  { accountId: accountTypeId, ways, settled }: Added,
): Promise<void> {
  const script = await openScriptCore(databaseUrl, 'https://landfall.example.test');
  const core = {
    ...script,
    secretKeys: await openSecretKeys(parseSecretKeyList(readFileSync(keysFile, 'utf8')) ?? []),
  };
  const accountId = decodeTypeId('acc', accountTypeId) ?? '';
  const shipmentId = decodeTypeId('shp', ways[0]?.shipment_id ?? '') ?? '';
  const at = new Date().toISOString();
  const id = randomUUID();
  const subscription = { accountId, id, connector: 'hapag-lloyd', carrier: 'HLCU', allCarriers: false };
  try {
    const { stored } = await newSubscriptionSecret(core, subscription);
    await withAccount(core.store, accountId, (tx) =>
      insertUnreadableEvents(tx, accountId, shipmentId, [{ raw: { code: 'DEPA' }, reason: 'it has no time' }]),
    );
    await withSystem(core.store, async (tx) => {
      await insertSubscription(tx, {
        ...subscription,
        ...stored,
        token: randomBytes(16).toString('hex'),
        credentialId: `of-the-fixture-${id}`,
        callbackUrl: 'https://landfall.example.test/push',
      });
      const position = { imo: '9811000', lat: 51.9, lng: 4.1, at, source: 'ais', name: 'EVER GIVEN' };
      await keepVesselPositions(tx, { simulated: false, positions: [position] });
      const proof = { proofId: 'signature', piece: null, mediaType: 'application/pdf' } as const;
      await keepProof(tx, accountId, { shipmentId, ...proof, content: Buffer.from('%PDF-1.7') });
      const { outcome } = await settleShipment(tx, { accountId, shipmentId: decodeTypeId('shp', settled) ?? '' }, 0);
      if (outcome !== 'settled') throw new Error(`the shipment ${settled} was ${outcome}`);
    });
    await withAccount(core.store, accountId, (tx) =>
      insertDelivery(tx, accountId, { subscriptionId: id, body: Buffer.from('{"events":[]}') }),
    );
  } finally {
    await script.close();
  }
}
