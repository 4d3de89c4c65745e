/**
 * A sign of a container in one event: it leaves empty, begins a voyage with cargo, has cargo, is unloaded at the consignee,
 * or came back empty.
 */
export type TripMove = {
  atMs: number;
  actual: boolean;
  kind: 'returned' | 'released' | 'outbound' | 'laden' | 'unloaded';
};

/** Several moves of one moment: a container comes back before it leaves again. */
const order: readonly TripMove['kind'][] = ['returned', 'laden', 'unloaded', 'released', 'outbound'];

/** A container that is released empty or moves again this long after its cargo left the port has been empty in between. */
const quietMs = 14 * 86_400_000;

/**
 * Returns when each further trip of a container begins: it had cargo, was empty, and is released or takes cargo again. A plan
 * begins a trip, but shows no cargo and no return. The order of the moves does not matter.
 */
export function tripBegins(moves: readonly TripMove[]): number[] {
  const ordered = moves.toSorted((left, right) => left.atMs - right.atMs || rankOf(left) - rankOf(right));
  const begins: number[] = [];
  let ladenMs: number | null = null;
  let endedMs: number | null = null;
  let isEmptied = false;
  let releasedMs: number | null = null;
  for (const { atMs, actual, kind } of ordered) {
    if (kind === 'returned') {
      if (!actual) continue;
      isEmptied = ladenMs !== null;
      if (isEmptied) endedMs = atMs;
      // It came back unused.
      releasedMs = null;
    } else if (kind === 'released') {
      isEmptied ||= ladenMs !== null && atMs - ladenMs >= quietMs;
      if (isEmptied) releasedMs ??= atMs;
    } else {
      const isQuiet = actual && kind !== 'unloaded' && endedMs !== null && atMs - endedMs >= quietMs;
      if (isQuiet || (isEmptied && (kind === 'outbound' || (actual && releasedMs !== null)))) {
        begins.push(releasedMs ?? atMs);
        isEmptied = false;
        releasedMs = null;
        endedMs = null;
        ladenMs = actual ? atMs : null;
      } else if (actual && !isEmptied) ladenMs = atMs;
      if (actual && kind === 'unloaded') endedMs = atMs;
    }
  }
  return releasedMs === null ? begins : [...begins, releasedMs];
}

/** The number of the trip at this time, from 0. */
export function tripAt(begins: readonly number[], atMs: number): number {
  return begins.filter((beginMs) => beginMs <= atMs).length;
}

function rankOf({ kind }: TripMove): number {
  return order.indexOf(kind);
}
