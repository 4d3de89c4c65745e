import type { Journey } from '#shared/domain/shipments/shipment.ts';
import type { JourneyText } from '#shared/domain/shipments/stored-record.ts';
import type { RefreshItem } from '#shared/queue/jobs.ts';
import type { Store } from '#shared/store/open-store.ts';
import type { SecretKeys } from './carriers/seal-secret.ts';

export type CoreSettings = {
  /** How long a claimed refresh belongs to its claimer, in seconds. */
  leaseS: number;
  /** The longest a registration waits for the queue, in milliseconds. */
  enqueueTimeoutMs: number;
  /** Leases that one account may hold on one connector by registering; more wait for the sweep, which is fair among accounts. */
  maxEagerLeases: number;
  /** How often a client may have one shipment looked up at once, in seconds. */
  refreshIntervalS: number;
  /** Multiplies every interval between two refreshes: 1 in production, less in a demonstration. */
  cadenceScale: number;
  /** How long the change feed goes back, in days. */
  changesKeptDays: number;
  /** How long the answer to an Idempotency-Key is kept, in hours. */
  idempotencyKeptHours: number;
  /** How long a finished import and its failed rows can be read, in days. */
  importsKeptDays: number;
  /** How long after its closing a shipment is still given for a registration of its number, in days. */
  openAfterClosingDays: number;
  /** How long after a carrier refused credentials one refresh tries them again, in seconds. */
  credentialProbeS: number;
  /** How long what carriers sent is kept as it came, in days. */
  deliveriesKeptDays: number;
  /** How long an event of a carrier that could not be read is kept as it came, in days. */
  rejectedKeptDays: number;
  publicBaseUrl: string;
};

/** What every process of an installation must agree on; only a test changes it. */
export const coreDefaults = {
  leaseS: 60,
  enqueueTimeoutMs: 250,
  maxEagerLeases: 20,
  refreshIntervalS: 600,
  cadenceScale: 1,
  changesKeptDays: 30,
  idempotencyKeptHours: 24,
  importsKeptDays: 30,
  openAfterClosingDays: 90,
  deliveriesKeptDays: 30,
  rejectedKeptDays: 90,
  credentialProbeS: 1800,
};

/**
 * Hands claimed refreshes to the workers. `linkOnly`: the job starts a trace of its own and only links to the sender's. `perJob`: items that
 * one job carries, 1 by default; they must share a credential.
 */
export type RefreshProducer = {
  enqueue: (connector: string, items: RefreshItem[], options: { linkOnly: boolean; perJob?: number }) => Promise<void>;
  close: () => Promise<void>;
};

export type CoreLog = {
  info: (fields: object, message: string) => void;
  warn: (fields: object, message: string) => void;
  error: (fields: object, message: string) => void;
};

/** Everything that core needs, passed in by each service's wiring. */
export type CoreContext = {
  store: Store;
  /** Null: the installation has no keys, and no secret can be stored or read. */
  secretKeys: SecretKeys | null;
  /** Null: there is no queue, and the sweep alone finds due work. */
  producer: RefreshProducer | null;
  /** Composes what is kept of a journey for readers. Absent: nothing is kept, and every reader composes it. */
  journeyText?: (journey: Journey) => JourneyText;
  now: () => Date;
  settings: CoreSettings;
  /** W3C traceparent of the active span. */
  traceparent: () => string | null;
  log: CoreLog;
};

/** The context for work that ends with the signal: what it asks of the database is then cancelled there, and its connection given up. */
export function cancelledBy<Context extends CoreContext>(ctx: Context, signal: AbortSignal): Context {
  return { ...ctx, store: { ...ctx.store, signal } };
}

/** The id of the active trace, or null outside of any. */
export function traceIdOf(ctx: Pick<CoreContext, 'traceparent'>): string | null {
  return ctx.traceparent()?.split('-')[1] ?? null;
}
