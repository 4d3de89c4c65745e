import type { ReadEvent } from '../tracking/event.ts';

/** The source of an event as clients see it: `client:acme-terminal` for one that a source of the client pushed. */
export function shownSource({ source, details }: Pick<ReadEvent, 'source' | 'details'>): string {
  return details?.sourceName === undefined ? source : `client:${details.sourceName}`;
}
