import type { Caller } from '#shared/domain/caller.ts';
import { decodeCursor, encodeCursor } from '#shared/domain/cursor.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import type { EventFilter, EventSort } from '#shared/domain/events/event-order.ts';
import { compareText } from '#shared/domain/events/event-order.ts';
import { composeHistory } from '#shared/domain/journey/journey.ts';
import type { History } from '#shared/domain/journey/order-history.ts';
import type { RecordEvent } from '#shared/domain/record/shipment.ts';
import { matchValue } from '#shared/domain/registration/identifiers.ts';
import { readAllEvents, readAllRawEvents } from '#shared/store/settling/settled-shipments.ts';
import { readShipment } from '#shared/store/shipments/shipments.ts';
import type { RawEvent } from '#shared/store/tracking/raw-events.ts';
import { readTime, withAccount } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

export type ListEventsInput = {
  shipmentId: string;
  filter: EventFilter;
  sort: EventSort;
  limit: number;
  cursor: string | null;
  includeRaw: boolean;
};

export type EventPage = {
  /** `raw` is present only if it was requested. */
  events: (RecordEvent & { raw?: RawEvent })[];
  limit: number;
  hasMore: boolean;
  nextCursor: string | null;
};

/**
 * One page of a shipment's event history, including superseded and voided events. Roles and legs depend on all events,
 * so every page reads all of them, as every refresh does. Throws LandfallError `shipment_not_found` and
 * `invalid_cursor`.
 */
export async function listEvents(ctx: CoreContext, caller: Caller, input: ListEventsInput): Promise<EventPage> {
  const { accountId, test } = caller;
  const { shipmentId, filter, sort, limit, includeRaw } = input;
  const lists = [filter.classifiers, filter.codes, filter.containers.map(matchValue)].map((list) =>
    list.toSorted(compareText),
  );
  const boundTo = JSON.stringify(['events', accountId, test, shipmentId, sort, lists]);
  return withAccount(ctx.store, accountId, async (tx) => {
    const shipment = await readShipment(tx, accountId, { id: shipmentId, test });
    if (shipment === null) throw new LandfallError('shipment_not_found', 'Shipment not found.');
    const stored = await readAllEvents(tx, accountId, shipmentId);
    const nowMs = (await readTime(tx)).getTime();
    const history = composeHistory(stored, shipment, nowMs);
    const matching = sorted(history, sort).filter((event) => matches(event, filter));
    const from = input.cursor === null ? 0 : placeAfter(matching, decodeCursor(input.cursor, boundTo));
    const page = matching.slice(from, from + limit);
    const hasMore = from + limit < matching.length;
    const raw = includeRaw
      ? await readAllRawEvents(tx, accountId, { shipmentId, ids: page.map(({ id }) => id) })
      : null;
    return {
      events:
        raw === null
          ? page
          : page.map((event) => ({ ...event, raw: raw.get(event.id) ?? { value: null, truncated: false } })),
      limit,
      hasMore,
      nextCursor: hasMore ? encodeCursor([page.at(-1)?.id], boundTo) : null,
    };
  });
}

/** By time, plans come last: they have not happened. */
function sorted({ happened, ahead, replaced }: History, sort: EventSort): RecordEvent[] {
  if (sort === '-time') return [...happened, ...ahead, ...replaced];
  const oldestFirst = [...happened.toReversed(), ...ahead, ...replaced];
  if (sort === 'time') return oldestFirst;
  const byReceipt = oldestFirst.sort((left, right) => compareText(left.receivedAt, right.receivedAt));
  return sort === 'received_at' ? byReceipt : byReceipt.reverse();
}

function matches(event: RecordEvent, { classifiers, codes, containers }: EventFilter): boolean {
  return (
    (classifiers.length === 0 || classifiers.includes(event.classifier)) &&
    (codes.length === 0 || codes.includes(event.code)) &&
    (containers.length === 0 ||
      (event.container !== null &&
        containers.some((number) => matchValue(number) === matchValue(event.container ?? ''))))
  );
}

/** Events are never deleted, so the last one of the previous page still exists. */
function placeAfter(events: readonly RecordEvent[], position: unknown): number {
  const index = Array.isArray(position) ? events.findIndex((event) => event.id === position[0]) : -1;
  if (index >= 0) return index + 1;
  throw new LandfallError(
    'invalid_cursor',
    'The cursor does not belong to this shipment, filter and sort. Start again without it.',
  );
}
