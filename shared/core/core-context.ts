import type { Journey } from '#shared/domain/record/shipment.ts';
import type { JourneyText } from '#shared/domain/record/stored-record.ts';
import type { WebhookBodies, WebhookSending } from '#shared/domain/webhooks/send-webhook.ts';
import type { RefreshItem } from '#shared/queue/jobs.ts';
import type { Store } from '#shared/store/open-store.ts';
import type { TermsCache } from './free-time/terms-cache.ts';
import type { SecretKeys } from './secrets/seal-secret.ts';

export type CoreSettings = {
  /** Lease of a claimed refresh, in seconds. */
  leaseS: number;
  /** Time limit for putting refreshes on the queue, in milliseconds. */
  enqueueTimeoutMs: number;
  /**
   * Leases that one account may hold on one connector through registering, and its hurried refreshes there. The rest
   * waits for the sweep, which is fair among accounts.
   */
  maxEagerLeases: number;
  /** Minimum time between two refreshes of one shipment on a client's request, in seconds. */
  refreshIntervalS: number;
  /** Multiplies every interval between two refreshes: 1 in production, less in a demonstration. */
  cadenceScale: number;
  /** Retention of the change feed, in days. */
  changesKeptDays: number;
  /** Retention of the response stored for an Idempotency-Key, in hours. */
  idempotencyKeptHours: number;
  /** Retention of a finished import and its failed rows, in days. */
  importsKeptDays: number;
  /** Days for which a closed shipment still matches a registration of its numbers. */
  openAfterClosingDays: number;
  /** Time between two probes of suspended credentials, in seconds. */
  credentialProbeS: number;
  /** Retention of raw deliveries of carrier subscriptions, in days. */
  deliveriesKeptDays: number;
  /** Retention of webhook deliveries that succeeded, in days. */
  webhooksKeptDays: number;
  /** Retention of alert messages and their entries, in days. */
  alertsKeptDays: number;
  /** Retention of raw events that could not be read, in days. */
  unreadableKeptDays: number;
  /** Days from closing to settling. Null: shipments never settle. */
  settleAfterDays: number | null;
  /** Days from closing to removal, for accounts that don't set fewer. Null: closed shipments are kept. */
  retentionDays: number | null;
  /** Days before the last free day from which a clock is `expiring`. */
  freeTimeNearDays: number;
  publicBaseUrl: string;
  /** True when shipments can be shared by public pages. */
  sharedPages: boolean;
};

/** Settings that every process of an installation must share. Only tests change them. */
export const coreDefaults: Omit<CoreSettings, 'publicBaseUrl'> = {
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
  webhooksKeptDays: 7,
  alertsKeptDays: 30,
  unreadableKeptDays: 90,
  credentialProbeS: 1800,
  settleAfterDays: 30,
  retentionDays: null,
  freeTimeNearDays: 2,
  sharedPages: true,
};

/**
 * Hands claimed refreshes to the workers. `linkOnly`: the job starts its own trace and only links to the sender's.
 * `perJob`: items per job, 1 by default; they must share a credential. `hurried`: a client waits for them.
 */
export type RefreshProducer = {
  enqueue: (
    connector: string,
    items: RefreshItem[],
    options: { linkOnly: boolean; perJob?: number; hurried?: boolean },
  ) => Promise<void>;
  close: () => Promise<void>;
};

export type CoreLog = {
  info: (fields: object, message: string) => void;
  warn: (fields: object, message: string) => void;
  error: (fields: object, message: string) => void;
};

/** The resources of core. `openCore` creates them. */
export type CoreContext = {
  store: Store;
  /** Null: the installation has no keys and cannot store or read secrets. */
  secretKeys: SecretKeys | null;
  /** Null: there is no queue, and the sweep alone finds due work. */
  producer: RefreshProducer | null;
  /** Absent: this process sends no webhooks. */
  webhooks?: WebhookSending & WebhookBodies;
  /** Composes the stored text of a journey. Absent: no text is stored, and every reader composes it. */
  journeyText?: (journey: Journey) => JourneyText;
  termsCache: TermsCache;
  now: () => Date;
  settings: CoreSettings;
  /** The W3C traceparent of the active span. */
  traceparent: () => string | null;
  /** Returns whether the trace store will keep this process's part of the active trace. */
  keepsTrace: () => boolean;
  log: CoreLog;
};

/** A context whose signal cancels running statements and closes their connection. */
export function cancelledBy<Context extends CoreContext>(ctx: Context, signal: AbortSignal): Context {
  return { ...ctx, store: { ...ctx.store, signal } };
}

/** The id of the active trace. Null: there is none. */
export function traceIdOf(ctx: Pick<CoreContext, 'traceparent'>): string | null {
  return ctx.traceparent()?.split('-')[1] ?? null;
}
