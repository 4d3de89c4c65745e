import type { TrackingEvent } from '#shared/domain/events/event.ts';
import { type ShownEvent, shownEvent } from '#shared/domain/feed/change.ts';
import type { Journey, RecordEvent } from '#shared/domain/record/shipment.ts';

/** The lists of a journey that a packed history holds. Its events have what clients are shown. */
export type SettledLists = { events: ShownEvent[]; etaHistory: Journey['etaHistory'] };

/** An event of a journey as its difference to the stored event with the same id, or whole. */
type EventDifference = { stored: number | null } & Partial<ShownEvent>;

export type PackedLists = Omit<SettledLists, 'events'> & { events: EventDifference[] };

export function settledLists({ events, etaHistory }: Pick<Journey, 'events' | 'etaHistory'>): SettledLists {
  return { events: events.map(shownEvent), etaHistory };
}

/** Written whole, the events of a journey add 2 kB to a packed voyage. */
export function packLists({ events, etaHistory }: SettledLists, stored: readonly TrackingEvent[]): PackedLists {
  const places = new Map(stored.map(({ id }, place) => [id, place]));
  const differences = events.map((event): EventDifference => {
    const place = places.get(event.id) ?? null;
    const base = baseOf(stored, place);
    const changed = Object.entries(event).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(base[name as keyof ShownEvent]),
    );
    return { stored: place, ...Object.fromEntries(changed) };
  });
  return { events: differences, etaHistory };
}

export function unpackLists({ events, etaHistory }: PackedLists, stored: readonly TrackingEvent[]): SettledLists {
  const whole = events.map(({ stored: place, ...changed }) =>
    shownEvent({ ...baseOf(stored, place), ...changed } as RecordEvent),
  );
  return { events: whole, etaHistory };
}

function baseOf(stored: readonly TrackingEvent[], place: number | null): Partial<ShownEvent> {
  return place === null ? {} : ((stored[place] ?? {}) as Partial<ShownEvent>);
}
