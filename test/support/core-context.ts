import { randomUUID } from 'node:crypto';
import { toJourneyText } from '#shared/contract/record/shipment-wire.ts';
import type { CoreContext, RefreshProducer } from '#shared/core/core-context.ts';
import { findShipment } from '#shared/core/lists/find-shipment.ts';
import { type CoreParts, openCore } from '#shared/core/open-core.ts';
import type { RegistrationContext } from '#shared/core/registration/registration-batcher.ts';
import { openSecretKeys } from '#shared/core/secrets/seal-secret.ts';
import type { Caller } from '#shared/domain/caller.ts';
import { allReferences } from '#shared/domain/record/references.ts';
import type { Registration, Shipment } from '#shared/domain/record/shipment.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import type { RefreshItem } from '#shared/queue/jobs.ts';
import { openStore, type Store } from '#shared/store/open-store.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { type TestDatabase, testDatabase } from './stores/postgres.ts';

export type TestCore = {
  ctx: RegistrationContext;
  store: Store;
  /** As its owner. */
  databaseUrl: string;
  /** With the login of API and worker. */
  serviceUrl: string;
  /** The jobs given to the producer, in order. */
  enqueued: { connector: string; item: RefreshItem }[];
  /** A caller with a new account. */
  newCaller: (changes?: Partial<Caller>) => Promise<Caller>;
  close: () => Promise<void>;
};

/** 32 bytes in base64. */
export const testCredentialKey = 'dGVzdHMtdGVzdHMtdGVzdHMtdGVzdHMtdGVzdHMtdGU=';

/** Core over the database of this test process, or over `ownDatabase`; the queue is a list. */
export async function openTestCore(
  changes: Partial<CoreParts> = {},
  openDatabase: () => Promise<TestDatabase> = testDatabase,
): Promise<TestCore> {
  const database = await openDatabase();
  const store = await openStore({
    databaseUrl: database.serviceUrl,
    apiPoolSize: 10,
    systemPoolSize: 4,
    applicationName: 'landfall-test',
    onPoolError: () => {},
  });
  const enqueued: TestCore['enqueued'] = [];
  const producer: RefreshProducer = {
    enqueue: async (connector, items) => {
      enqueued.push(...items.map((item) => ({ connector, item })));
    },
    close: async () => {},
  };
  const ctx = openCore({
    store,
    secretKeys: await openSecretKeys([{ version: 'v1', key: testCredentialKey }]),
    producer,
    settings: { publicBaseUrl: 'http://127.0.0.1:8080' },
    journeyText: toJourneyText,
    traceparent: () => null,
    ...changes,
  });
  return {
    ctx,
    store,
    databaseUrl: database.databaseUrl,
    serviceUrl: database.serviceUrl,
    enqueued,
    newCaller: async (callerChanges = {}) => {
      const { accountId } = await withSystem(store, (tx) => ensureAccount(tx, `test ${randomUUID()}`));
      return {
        accountId,
        keyId: null,
        scopes: ['shipments:read', 'shipments:write'],
        test: false,
        requestId: 'req_test',
        idempotency: null,
        ...callerChanges,
      };
    },
    close: async () => {
      await store.close();
      await database.drop();
    },
  };
}

/** The record of a shipment that a client gets by its ID. */
export async function getShipment(ctx: CoreContext, caller: Caller, shipmentId: string): Promise<Shipment> {
  const identifier = encodeTypeId('shp', shipmentId);
  const { matches } = await findShipment(ctx, caller, { identifier, identifierType: 'shipment_id' });
  if (matches[0] === undefined) throw new Error(`shipment ${identifier} not found`);
  return matches[0];
}

/** A registration of an ocean shipment with Maersk. Any part can be replaced. */
export function oceanRegistration(changes: Partial<Registration> = {}): Registration {
  return {
    transportMode: 'ocean',
    carrier: 'MAEU',
    identifiers: { mbl: uniqueNumber() },
    serviceType: null,
    reference: null,
    references: allReferences(changes.reference),
    tags: [],
    metadata: {},
    destinationPostalCode: null,
    ...changes,
  };
}

let numbers = 200_000_000;

/** A B/L number that no other test of this file uses. */
export function uniqueNumber(): string {
  numbers += 1;
  return String(numbers);
}
