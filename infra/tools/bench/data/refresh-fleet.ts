import { randomUUID } from 'node:crypto';
import { serviceUrlOf } from '#infra/embedded/service-url.ts';
import { operatorOf } from '#infra/installation/open-script-core.ts';
import { toJourneyText } from '#shared/contract/record/shipment-wire.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import { sequenceChanges } from '#shared/core/feed/sequence-changes.ts';
import { expireRecords } from '#shared/core/installation/expire-records.ts';
import { openCore } from '#shared/core/open-core.ts';
import { registerBatch } from '#shared/core/registration/register-batch.ts';
import { beginRefreshes } from '#shared/core/tracking/refresh-claims.ts';
import type { Caller } from '#shared/domain/caller.ts';
import type { Reading } from '#shared/domain/events/event.ts';
import type { Registration } from '#shared/domain/record/shipment.ts';
import type { RefreshClaim, RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { openStore } from '#shared/store/open-store.ts';
import { ensureAccount } from '#shared/store/system/accounts.ts';
import { withSystem } from '#shared/store/with-account.ts';
import { recordRefresh } from '#test/support/carriers/record-refresh.ts';
import { sweepConnector } from '#test/support/carriers/sweep-connector.ts';

export type FleetOptions = {
  databaseUrl: string;
  accounts: number;
  readings: readonly Reading[];
  /** Refreshes that return the same reading before the carrier has the next one. */
  refreshesPerReading: number;
};

/**
 * Registers and refreshes shipments through the core, in one process and without a queue, so that only the database
 * work is measured. Every shipment makes the same voyage.
 */
export async function openRefreshFleet(options: FleetOptions) {
  const claims: RefreshClaim[] = [];
  const ctx = await openFleetCore(options.databaseUrl, claims);
  const callers: Caller[] = [];
  for (let n = 0; n < options.accounts; n += 1) {
    const { accountId } = await withSystem(ctx.store, (tx) => ensureAccount(tx, `fleet ${n} ${randomUUID()}`));
    callers.push(operatorOf(accountId));
  }
  const refreshes = new Map<string, number>();
  let registered = 0;
  let refreshed = 0;
  let ended = 0;

  const register = async (count: number): Promise<void> => {
    for (let left = count; left > 0; left -= 500) {
      const caller = callers[Math.floor(Math.random() * callers.length)] as Caller;
      const rows = Array.from({ length: Math.min(500, left) }, () => registrationOf(registered++));
      const { results } = await registerBatch(ctx, caller, rows);
      if (results.some(({ outcome }) => outcome !== 'created')) throw new Error('a registration was rejected');
    }
  };

  const refresh = async (subject: RefreshSubject): Promise<void> => {
    const before = refreshes.get(subject.shipmentId) ?? 0;
    const reading =
      options.readings[Math.min(Math.floor(before / options.refreshesPerReading), options.readings.length - 1)];
    if (reading === undefined) throw new Error('reading not found');
    await recordRefresh(ctx, subject, { outcome: 'found', reading, httpStatus: 200, durationMs: 40 }, null);
    refreshed += 1;
    if (before + 1 < options.refreshesPerReading * options.readings.length) {
      refreshes.set(subject.shipmentId, before + 1);
      return;
    }
    refreshes.delete(subject.shipmentId);
    ended += 1;
  };

  return {
    ctx,
    register,
    counts: () => ({ registered, refreshed, ended }),
    /** Refreshes due shipments, at most `limit`. Returns how many. */
    refreshDue: async (limit: number): Promise<number> => {
      await sweepConnector(ctx, 'maersk', limit);
      const due = claims.splice(0);
      const inHand = async (): Promise<void> => {
        for (let batch = due.splice(0, 10); batch.length > 0; batch = due.splice(0, 10)) {
          for (const subject of await beginRefreshes(ctx, batch)) await refresh(subject);
        }
      };
      const count = due.length;
      await Promise.all(Array.from({ length: 4 }, inHand));
      return count;
    },
    /** The workers' other periodic work. */
    tidy: async (): Promise<void> => {
      await sequenceChanges(ctx);
      await expireRecords(ctx);
    },
    close: () => ctx.store.close(),
  };
}

async function openFleetCore(databaseUrl: string, claims: RefreshClaim[]): Promise<CoreContext> {
  const store = await openStore({
    databaseUrl: serviceUrlOf(databaseUrl),
    apiPoolSize: 6,
    systemPoolSize: 4,
    applicationName: 'landfall-bench',
    onPoolError: () => {},
  });
  return openCore({
    store,
    producer: {
      enqueue: async (_connector, items) => {
        claims.push(...items);
      },
      close: async () => {},
    },
    journeyText: toJourneyText,
    traceparent: () => null,
    // The shortest interval between refreshes, so that the database is never idle.
    settings: { cadenceScale: 1e-6, maxEagerLeases: 0, publicBaseUrl: 'http://127.0.0.1:8080' },
  });
}

function registrationOf(n: number): Registration {
  return {
    transportMode: 'ocean',
    carrier: 'MAEU',
    identifiers: { mbl: `MAEU${200_000_000 + n}` },
    serviceType: null,
    reference: `PO-${n}`,
    references: [`PO-${n}`],
    tags: n % 3 === 0 ? ['spring', 'priority'] : [],
    metadata: {},
    destinationPostalCode: null,
  };
}
