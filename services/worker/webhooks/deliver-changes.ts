import { createYield } from '#shared/async/yield-event-loop.ts';
import { readHeldWebhooks } from '#shared/core/webhooks/read-changes.ts';
import { type DeliveryOutcome, unsentOutcome } from '#shared/domain/webhooks/delivery-outcome.ts';
import type { DeliverContext, EndpointRun } from './endpoint-run.ts';
import type { PreparedChange } from './prepared-changes.ts';

/** Requests that began and changes behind them in the order of their shipment: more are not read ahead. */
const maxAhead = 64;
/** Changes that are evaluated until other work may run. */
const changesAtOnce = 10;

/** Delivers the changes after the endpoint's sequence, in the order of the feed, until none is left or the turn ends. */
export async function deliverChanges(ctx: DeliverContext, run: EndpointRun): Promise<void> {
  const { endpoint, progress, isEnding } = run;
  const known = new Set(endpoint.outcomes);
  const running = new Set<Promise<void>>();
  const order = endpoint.ordering === 'shipment' ? openShipmentOrder(ctx, run) : null;
  const yieldIfDue = createYield();
  let failure: { error: unknown } | null = null;

  const start = (prepared: PreparedChange): void => {
    const work = (order?.deliver(prepared) ?? run.deliver(prepared, 0)).then(
      (outcome) => {
        if (outcome !== null) progress.end(outcome);
      },
      (error: unknown) => {
        failure ??= { error };
      },
    );
    const tracked = work.finally(() => running.delete(tracked));
    running.add(tracked);
  };

  while (!isEnding() && failure === null) {
    const page = await ctx.feeds.after(endpoint, progress.readTo());
    if (page.upTo <= progress.readTo()) break;
    await order?.read(page.changes);
    for (const [place, prepared] of page.changes.entries()) {
      const { sequence } = prepared.change;
      // Filters may be long.
      if (place % changesAtOnce === 0) await yieldIfDue();
      const evaluated = known.has(sequence) ? false : run.isWanted(prepared);
      // Most changes are evaluated at once, and awaiting each of them costs more than evaluating.
      if (evaluated === false || (evaluated !== true && !(await evaluated))) {
        progress.skipTo(sequence);
        continue;
      }
      while (running.size >= maxAhead && !isEnding()) await Promise.race(running);
      while (progress.isFull() && !isEnding()) await progress.written();
      if (isEnding() || failure !== null) break;
      progress.begin(sequence);
      start(prepared);
    }
    if (isEnding() || failure !== null) break;
    progress.skipTo(page.upTo);
  }
  await Promise.all(running);
  if (failure !== null) throw (failure as { error: unknown }).error;
}

type ShipmentOrder = {
  /** Learns which shipments of a page are held back. */
  read: (changes: readonly PreparedChange[]) => Promise<void>;
  deliver: (prepared: PreparedChange) => Promise<DeliveryOutcome | null>;
};

/** Delivers the changes of a shipment one after the other. After one that failed, the others wait with it. */
function openShipmentOrder(ctx: DeliverContext, { endpoint, deliver }: EndpointRun): ShipmentOrder {
  /** The last delivery of a shipment. */
  const last = new Map<string, Promise<DeliveryOutcome | null>>();
  /** Shipments that are held back, each with the milliseconds until the next try. */
  const held = new Map<string, number>();

  const next = async (prepared: PreparedChange, shipmentId: string): Promise<DeliveryOutcome | null> => {
    const before = last.get(shipmentId);
    // One that is unknown, because the turn ended, leaves the later ones to the next turn as well.
    if (before !== undefined && (await before) === null) return null;
    const waitMs = held.get(shipmentId);
    if (waitMs !== undefined) return unsentOutcome({ ...prepared.place, tries: 0, nextTryInMs: waitMs });
    const outcome = await deliver(prepared, 0);
    if (outcome?.state === 'waiting') held.set(shipmentId, outcome.nextTryInMs ?? 0);
    return outcome;
  };
  return {
    read: async (changes) => {
      const ids = [...new Set(changes.flatMap(({ place }) => place.shipmentId ?? []))].filter((id) => !held.has(id));
      if (ids.length === 0) return;
      for (const [id, waitMs] of await readHeldWebhooks(ctx.core, endpoint, ids)) held.set(id, waitMs);
    },
    deliver: (prepared) => {
      const { shipmentId } = prepared.place;
      if (shipmentId === null) return deliver(prepared, 0);
      const delivery = next(prepared, shipmentId);
      last.set(shipmentId, delivery);
      return delivery;
    },
  };
}
