import { compareText, seenAt } from '../events/event-order.ts';
import type { RecordEvent } from '../record/shipment.ts';
import { compareFoldEvents } from './status.ts';

export type History = {
  /** Past events, newest first. A plan that has ended follows the event that it ended with. */
  happened: RecordEvent[];
  /** Plans and estimates that are still open, and actual events too far in the future to count, soonest first. */
  ahead: RecordEvent[];
  /**
   * Plans and estimates that others have replaced or that were voided, and all events of other trips of the container,
   * the last stated first.
   */
  replaced: RecordEvent[];
};

/** The events of a journey in the order of what happened, with everything that was only planned apart. */
export function orderHistory(events: readonly RecordEvent[]): History {
  const groups = Map.groupBy(events, groupOf);
  const byId = new Map(events.map((event) => [event.id, event]));
  const endOf = (event: RecordEvent) => (event.fulfilledBy === null ? undefined : byId.get(event.fulfilledBy));
  const happened = (groups.get('happened') ?? []).map((event) => ({ event, end: endOf(event) ?? event }));
  happened.sort(
    (left, right) =>
      compareFoldEvents(right.end, left.end) ||
      Number(left.event !== left.end) - Number(right.event !== right.end) ||
      compareFoldEvents(right.event, left.event),
  );
  return {
    happened: happened.map(({ event }) => event),
    ahead: (groups.get('ahead') ?? []).sort(compareFoldEvents),
    replaced: (groups.get('replaced') ?? []).sort(
      (left, right) => compareText(seenAt(right), seenAt(left)) || compareFoldEvents(right, left),
    ),
  };
}

function groupOf({ classifier, flags, fulfilledBy }: RecordEvent): keyof History {
  if (flags.includes('other_trip')) return 'replaced';
  if (classifier === 'actual') return flags.includes('suspect_future') ? 'ahead' : 'happened';
  if (flags.includes('voided') || flags.includes('superseded')) return 'replaced';
  return fulfilledBy === null ? 'ahead' : 'happened';
}
