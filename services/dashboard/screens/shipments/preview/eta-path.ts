export type EtaRevision = { eta: number; seenAt: number };

/**
 * A step line through the revisions, oldest first, in a box with y downwards: later arrivals stand higher. `planned` is the height of the
 * first one. Where all are the same the line runs in the middle.
 */
export function etaSteps(
  history: readonly EtaRevision[],
  { width, height }: { width: number; height: number },
): { path: string; points: { x: number; y: number }[]; planned: number } {
  const sorted = history.toSorted((left, right) => left.seenAt - right.seenAt);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return { path: '', points: [], planned: height / 2 };
  const etas = sorted.map(({ eta }) => eta);
  const [least, most] = [Math.min(...etas), Math.max(...etas)];
  const span = last.seenAt - first.seenAt;
  // The last revision holds until now: it is given the last eighth of the line.
  const room = width * 0.88;
  const points = sorted.map(({ eta, seenAt }, index) => ({
    x: round(span > 0 ? ((seenAt - first.seenAt) / span) * room : (index / sorted.length) * room),
    y: round(most === least ? height / 2 : height - ((eta - least) / (most - least)) * height),
  }));
  const [start, ...others] = points;
  const path = `M${start?.x ?? 0} ${start?.y ?? 0}${others.map(({ x, y }) => `H${x}V${y}`).join('')}H${width}`;
  return { path, points, planned: start?.y ?? height / 2 };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
