/** A row of `POST /v1/events/batch`. `id` is unique within its play. */
export type PostedRow = { id: string; body: Record<string, unknown> };

/** Poster of the events of one shipment. */
export type Play = {
  name: string;
  /** Returns the rows published by this real time (epoch ms), oldest first, with only the latest position. */
  rowsAt: (nowMs: number) => PostedRow[];
  /** The API does not know the shipment yet, so its journey has not begun. */
  restart: (nowMs: number) => void;
};

/** Row that a source publishes at a virtual moment, in ms since the journey's start. */
export type Published = { atMs: number; id: string; body: Record<string, unknown> };

/** The rows of a source until `virtualMs`. `startMs` and `virtualMs` are epoch ms. */
export function rowsUntil(
  published: readonly Published[],
  { startMs, virtualMs }: { startMs: number; virtualMs: number },
): PostedRow[] {
  return published
    .filter(({ atMs }) => startMs + atMs <= virtualMs)
    .toSorted((one, other) => one.atMs - other.atMs)
    .map(({ id, body }) => ({ id, body: { external_id: id, ...body } }));
}
