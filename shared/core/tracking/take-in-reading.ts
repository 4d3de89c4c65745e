import type { Reading, TrackingEvent } from '#shared/domain/tracking/event.ts';
import { planRevisions, type Successor } from '#shared/domain/tracking/revisions.ts';
import { uuidv7 } from '#shared/domain/type-id.ts';
import type { NewEvent } from '#shared/store/tracking/events.ts';

/** Of randomness in an event's id. */
const idBytes = 10;
/** Ids whose randomness is drawn at once, as many as nearly every answer brings: each draw costs as much as several ids. */
const idsADraw = 50;

/** What one reading does to the stored events: `events` is the whole set afterwards. */
export type News = { events: TrackingEvent[]; inserts: NewEvent[]; superseded: { id: string; supersededBy: string }[] };

/**
 * Joins a reading to the stored events: what is new, and which rows it replaces. `nowMs` becomes the time of receipt. `partial`: the reading
 * shows only some of what the carrier has, so that nothing is replaced because it is missing.
 */
export function takeInReading(
  stored: readonly TrackingEvent[],
  reading: Pick<Reading, 'events' | 'source' | 'stableEventIds'>,
  nowMs: number,
  { partial = false }: { partial?: boolean } = {},
): News {
  const plan = planRevisions(stored, reading.events, {
    connectorFamily: familyOf(reading.source),
    complete: !partial,
    stableEventIds: reading.stableEventIds ?? false,
  });
  const receivedAt = new Date(nowMs).toISOString();
  const ids = newIds(plan.inserts, nowMs);
  const idOf = (successor: Successor): string => {
    const id = 'id' in successor ? successor.id : ids.get(successor.dedupeText);
    if (id === undefined) throw new Error('a revision names a successor that is not part of its plan');
    return id;
  };
  const inserts = plan.inserts.map(({ event: { raw, ...body }, dedupeText, supersededBy }): NewEvent => {
    const successor = supersededBy === null ? null : idOf(supersededBy);
    return {
      event: {
        ...body,
        id: idOf({ dedupeText }),
        dedupeKey: dedupeText,
        receivedAt,
        supersededBy: successor,
        voidedAt: null,
      },
      raw,
    };
  });
  const superseded = plan.superseded.map(({ id, by }) => ({ id, supersededBy: idOf(by) }));
  const replaced = new Map(superseded.map(({ id, supersededBy }) => [id, supersededBy]));
  const kept = stored.map((event) => ({ ...event, supersededBy: replaced.get(event.id) ?? event.supersededBy }));
  return { events: [...kept, ...inserts.map((insert) => insert.event)], inserts, superseded };
}

/** Push and pull of one carrier share a family, and so does the simulator that stands in for it. */
function familyOf(source: string): string {
  return source.replace(/^simulator:/, '');
}

function newIds(inserts: readonly { dedupeText: string }[], nowMs: number): Map<string, string> {
  const ids = new Map<string, string>();
  for (let start = 0; start < inserts.length; start += idsADraw) {
    const part = inserts.slice(start, start + idsADraw);
    const random = globalThis.crypto.getRandomValues(new Uint8Array(part.length * idBytes));
    for (const [index, { dedupeText }] of part.entries())
      ids.set(dedupeText, uuidv7(nowMs, random.subarray(index * idBytes)));
  }
  return ids;
}
