import { batch } from '#shared/async/batch.ts';
import { settlesWithin } from '#shared/async/deadline.ts';
import { toEndpointId } from '#shared/contract/webhooks/endpoint-wire.ts';
import type { CoreContext } from '#shared/core/core-context.ts';
import {
  beginWebhooks,
  type ClaimedAccount,
  type EndpointProgress,
  type HeldEndpoint,
  type RecordedEndpoint,
  recordWebhooks,
  releaseWebhooks,
  renewWebhooks,
} from '#shared/core/webhooks/claim-endpoints.ts';
import { disableFailingEndpoint } from '#shared/core/webhooks/disable-failing.ts';
import type { WebhookSender } from '#shared/net/webhook-sender.ts';
import type { QueueBackend } from '#shared/queue/connection.ts';
import { openConsumer } from '#shared/queue/consumer.ts';
import { webhookQueue } from '#shared/queue/producer.ts';
import { type RunningEndpoint, runEndpoint } from './deliver-endpoint.ts';
import type { DeliverContext } from './endpoint-run.ts';
import { openDeliveryPermits } from './permits.ts';
import type { PreparedFeeds } from './prepared-changes.ts';
import type { Selections } from './selections.ts';
import type { Waker } from './wake.ts';

/*
 * The path of a delivery: the sequencer gives a change its sequence and wakes the endpoints of its account (wake.ts), of
 * which those that select none of the changes skip them (skip-unwanted.ts) → this file takes the job → deliver-endpoint.ts holds one endpoint and runs deliver-changes.ts (the feed after its
 * sequence) and deliver-due.ts (retries) → try-delivery.ts sends → progress.ts has the outcomes written here, in batches
 * of many endpoints.
 */

export type WebhookContext = {
  core: CoreContext;
  queue: QueueBackend;
  sender: Pick<WebhookSender, 'compose' | 'send'>;
  waker: Pick<Waker, 'released'>;
  /** Shared with the waker, which has read the changes when it wakes an endpoint. */
  feeds: PreparedFeeds;
  selections: Selections;
  /** `WEBHOOK_CONCURRENCY`. */
  concurrency: number;
  random: () => number;
};

export type WebhookConsumer = {
  isReady: () => boolean;
  /** Resolves when the consumer first reaches its queue. */
  ready: Promise<void>;
  /** Renews the leases of the endpoints that this worker has. */
  renew: () => Promise<void>;
  /** Waits up to `drainMs` for the requests in progress, then ends them. */
  close: (drainMs: number) => Promise<void>;
};

/** A job ends after this time; what it began goes on. An endpoint that hangs so never holds the jobs of others. */
const jobMs = 2000;
const maxJobs = 64;
const maxRecorded = 100;

/** Takes claimed endpoints from the queue and delivers to them until closed. */
export function openWebhookConsumer(ctx: WebhookContext): WebhookConsumer {
  const { core } = ctx;
  const stopping = new AbortController();
  const aborting = new AbortController();
  const running = new Map<string, RunningEndpoint>();
  const deliverContext = openDeliverContext(ctx);

  const start = (endpoint: HeldEndpoint): Promise<void> => {
    const run = runEndpoint(deliverContext, endpoint, { stopping: stopping.signal, aborting: aborting.signal });
    const key = `${endpoint.endpointId} ${endpoint.epoch}`;
    running.set(key, run);
    return run.done
      .catch((error: unknown) =>
        core.log.warn(
          { err: error, account_id: endpoint.accountId, endpoint_id: toEndpointId(endpoint.endpointId) },
          'webhook deliveries interrupted; the endpoint is tried again when its lease has expired',
        ),
      )
      .finally(() => running.delete(key));
  };
  const handle = async (job: ClaimedAccount): Promise<void> => {
    if (stopping.signal.aborted) return;
    const held = await beginWebhooks(core, job);
    await settlesWithin(Promise.all(held.map(start)), jobMs);
  };
  const consumer = openConsumer(ctx.queue, {
    queue: webhookQueue,
    job: 'deliver-webhooks',
    concurrency: maxJobs,
    handle,
  });
  return {
    ready: consumer.ready,
    isReady: consumer.isReady,
    renew: async () => {
      const runs = [...running.values()];
      if (runs.length === 0) return;
      const startedAtMs = performance.now();
      const held = await renewWebhooks(
        core,
        runs.map(({ endpoint: { accountId, endpointId, epoch } }) => ({ accountId, endpointId, epoch })),
      );
      for (const run of runs) {
        if (held.has(run.endpoint.endpointId)) run.renewed(startedAtMs);
        else run.lose();
      }
    },
    close: async (drainMs) => {
      stopping.abort();
      const closing = consumer.close(drainMs);
      const done = Promise.all([...running.values()].map((run) => run.done.catch(() => undefined)));
      if (!(await settlesWithin(done, drainMs))) aborting.abort();
      await closing;
    },
  };
}

function openDeliverContext({
  core,
  sender,
  waker,
  feeds,
  selections,
  concurrency,
  random,
}: WebhookContext): DeliverContext {
  const record = batch<EndpointProgress, RecordedEndpoint | null>({
    maxSize: maxRecorded,
    maxRunning: 1,
    run: async (progress) => {
      const recorded = await recordWebhooks(core, progress).catch((error: unknown) => {
        core.log.warn({ err: error, endpoints: progress.length }, 'webhook outcomes not written; retrying');
        throw error;
      });
      const byId = new Map(recorded.map((one) => [one.endpointId, one]));
      return progress.map(({ endpointId }) => byId.get(endpointId) ?? null);
    },
  });
  const release = batch<HeldEndpoint, void>({
    maxSize: 1000,
    maxRunning: 1,
    run: async (endpoints) => {
      await releaseWebhooks(
        core,
        endpoints.map(({ accountId, endpointId, epoch }) => ({ accountId, endpointId, epoch })),
      );
      // Changes that came since then found the endpoint taken.
      waker.released(endpoints.map(({ accountId }) => accountId));
      return endpoints.map(() => undefined);
    },
  });
  return {
    core,
    feeds,
    selections,
    sender,
    now: core.now,
    random,
    permits: openDeliveryPermits(concurrency),
    record,
    release,
    disable: (endpoint, reason) => disableFailingEndpoint(core, endpoint, reason),
  };
}
