import { createHmac } from 'node:crypto';
import { sleep } from '#shared/async/sleep.ts';
import { renderDcsaEvents } from '../ocean/dcsa-dialect.ts';
import type { SimulatorWorld } from '../ocean/event-routes.ts';
import type { DcsaEvent } from '../voyages/event.ts';
import { queryOf, type Subscription, type SubscriptionBook } from './subscription-book.ts';

/** One sent bundle, for tests: number of sends, the subscriber's statuses, and whether it was accepted. */
export type SentBundle = {
  subscriptionID: string;
  eventIDs: string[];
  statuses: (number | 'unreachable')[];
  taken: boolean;
};

export type Deliverer = {
  sent: () => SentBundle[];
  /** Sends new events once, for tests with a clock of their own. */
  deliver: () => Promise<void>;
  close: () => Promise<void>;
};

export type DelivererOptions = {
  world: SimulatorWorld;
  book: SubscriptionBook;
  /** Interval between checks for new events, in real milliseconds. Null: events are sent only by `deliver`. */
  everyMs: number | null;
  waits?: { minMs: number; maxMs: number };
};

const voyagesWatched = 2000;
const bundleSize = 50;
const answerWithinMs = 30_000;
const bundlesKept = 1000;
const usualWaits = { minMs: 200, maxMs: 30_000 };

/**
 * Sends subscribers the new events of requested voyages as the virtual clock passes them. It behaves like the reference
 * implementation of DCSA Track & Trace 2.2: signed bundles, success on 204 only, exponential backoff, `Retry-After`
 * respected on 413, 429 and 503, a bundle split in half on 413, no redirects. A bundle keeps its signature even if the
 * secret changes before it is accepted.
 */
export function createDeliverer({ world, book, everyMs, waits = usualWaits }: DelivererOptions): Deliverer {
  const stopping = new AbortController();
  const sent: SentBundle[] = [];
  const underway = new Map<string, Promise<void>>();

  const send = async (subscription: Subscription, events: DcsaEvent[]): Promise<void> => {
    const body = JSON.stringify(renderDcsaEvents(events));
    const signature = sign(subscription.secret, body);
    const bundle: SentBundle = {
      subscriptionID: subscription.subscriptionID,
      eventIDs: events.map((event) => event.eventID),
      statuses: [],
      taken: false,
    };
    sent.push(bundle);
    if (sent.length > bundlesKept) sent.shift();
    for (let waitMs = waits.minMs; ; waitMs = Math.min(waitMs * 2, waits.maxMs)) {
      if (stopping.signal.aborted || book.find(subscription.subscriptionID) === null) return;
      const answer = await post(subscription, body, signature, stopping.signal);
      bundle.statuses.push(answer.status);
      bundle.taken = answer.status === 204;
      if (bundle.taken) return;
      await sleep(Math.max(answer.retryAfterMs, answer.status === 413 ? 0 : waitMs), { signal: stopping.signal });
      if (answer.status !== 413) continue;
      // A single event that is too large is dropped.
      if (events.length === 1) return;
      const middle = Math.ceil(events.length / 2);
      await send(subscription, events.slice(0, middle));
      await send(subscription, events.slice(middle));
      return;
    }
  };

  const pump = async (subscription: Subscription): Promise<void> => {
    const untilMs = world.now();
    const events = newEvents(world, subscription, untilMs);
    for (let first = 0; first < events.length; first += bundleSize)
      await send(subscription, events.slice(first, first + bundleSize));
    if (stopping.signal.aborted) return;
    if (events.length > 0) book.noteDelivered(subscription, untilMs);
    else subscription.deliveredMs = untilMs;
  };

  // A slow or unavailable subscriber must not delay the others.
  const deliver = async (): Promise<void> => {
    for (const subscription of book.list()) {
      const id = subscription.subscriptionID;
      if (!underway.has(id))
        underway.set(
          id,
          pump(subscription).finally(() => underway.delete(id)),
        );
    }
    await Promise.all(underway.values());
  };
  const timer = everyMs === null ? null : setInterval(() => void deliver(), everyMs).unref();

  return {
    sent: () => [...sent],
    deliver,
    close: async () => {
      if (timer) clearInterval(timer);
      stopping.abort();
      await Promise.all(underway.values());
    },
  };
}

/** Events published since the subscriber's last delivery, oldest publication first. */
function newEvents(world: SimulatorWorld, subscription: Subscription, untilMs: number): DcsaEvent[] {
  const { query } = queryOf(subscription.filters);
  const [asked] = query.asked;
  const own = asked ? world.known.find(asked, subscription.scac) : null;
  const records = asked ? (own ? [own] : []) : world.known.latest(voyagesWatched, subscription.scac);
  return records.flatMap((record) => {
    const published = world.known.publishedAt(record, untilMs);
    const before = new Set(world.known.publishedAt(record, subscription.deliveredMs).map((event) => event.eventID));
    return published.filter((event) => !before.has(event.eventID) && query.matches(event));
  });
}

function sign(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', Buffer.from(secret, 'base64')).update(body).digest('hex')}`;
}

async function post(
  { callbackUrl, subscriptionID }: Subscription,
  body: string,
  signature: string,
  signal: AbortSignal,
): Promise<{ status: number | 'unreachable'; retryAfterMs: number }> {
  try {
    const response = await fetch(callbackUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'API-Version': '2',
        'Subscription-ID': subscriptionID,
        'Notification-Signature': signature,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
    });
    await response.body?.cancel();
    const mayWait = [413, 429, 503].includes(response.status);
    const seconds = Number(mayWait ? (response.headers.get('retry-after') ?? 0) : 0);
    return { status: response.status, retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : 0 };
  } catch {
    return { status: 'unreachable', retryAfterMs: 0 };
  }
}
