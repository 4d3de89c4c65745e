import { createHmac } from 'node:crypto';
import { renderDcsaEvents } from '../ocean/dcsa-dialect.ts';
import type { SimulatorWorld } from '../ocean/event-routes.ts';
import type { DcsaEvent } from '../voyages/event.ts';
import { queryOf, type Subscription, type SubscriptionBook } from './subscription-book.ts';

/** One bundle that was sent, for tests: how often, what the subscriber said, and whether it was taken. */
export type SentBundle = {
  subscriptionID: string;
  eventIDs: string[];
  statuses: (number | 'unreachable')[];
  taken: boolean;
};

export type Deliverer = {
  sent: () => SentBundle[];
  /** Sends what is new, once; for tests with a clock of their own. */
  deliver: () => Promise<void>;
  close: () => Promise<void>;
};

export type DelivererOptions = {
  world: SimulatorWorld;
  book: SubscriptionBook;
  /** Real milliseconds between looks for something new; null: only when `deliver` is called. */
  everyMs: number | null;
  waits?: { leastMs: number; mostMs: number };
};

const voyagesWatched = 2000;
const bundleSize = 50;
const answerWithinMs = 30_000;
const bundlesKept = 1000;
const usualWaits = { leastMs: 200, mostMs: 30_000 };

/**
 * Sends subscribers the new events of the voyages that were asked for, as the virtual clock passes them, the way the reference implementation
 * of DCSA Track & Trace 2.2 does: signed bundles, 204 alone is success, waits that double, `Retry-After` kept on 413, 429 and 503, a bundle
 * halved on 413, no redirects. A bundle keeps the signature it was made with, also when the secret changes before it is taken.
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
    for (let waitMs = waits.leastMs; ; waitMs = Math.min(waitMs * 2, waits.mostMs)) {
      if (stopping.signal.aborted || book.find(subscription.subscriptionID) === null) return;
      const answer = await post(subscription, body, signature, stopping.signal);
      bundle.statuses.push(answer.status);
      bundle.taken = answer.status === 204;
      if (bundle.taken) return;
      await pause(Math.max(answer.retryAfterMs, answer.status === 413 ? 0 : waitMs), stopping.signal);
      if (answer.status !== 413) continue;
      // An event that is too large by itself is given up.
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

  // A subscriber that is slow or away holds up nobody else.
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

/** What was published after the subscriber was last served, oldest publication first. */
function newEvents(world: SimulatorWorld, subscription: Subscription, untilMs: number): DcsaEvent[] {
  const { query } = queryOf(subscription.filters);
  const [asked] = query.asked;
  const own = asked ? world.known.find(asked, null) : null;
  const records = asked ? (own ? [own] : []) : world.known.latest(voyagesWatched);
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

async function pause(forMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const wake = (): void => resolve();
  const timer = setTimeout(wake, forMs);
  signal.addEventListener('abort', wake, { once: true });
  if (signal.aborted) wake();
  await promise;
  clearTimeout(timer);
  signal.removeEventListener('abort', wake);
}
