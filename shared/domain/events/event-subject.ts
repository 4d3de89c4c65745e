import type { ReadEvent } from './event.ts';

/** Subject of an event: a container, a piece, or with neither the whole shipment. */
export type Subject = { container: string | null; piece: string | null };

/** The parts of a shipment that move on their own. */
export type PartKind = keyof Subject;

export function subjectOf({ container, details }: Pick<ReadEvent, 'container' | 'details'>): Subject {
  return { container, piece: details?.piece ?? null };
}

export function isOfWhole(event: Pick<ReadEvent, 'container' | 'details'>): boolean {
  const { container, piece } = subjectOf(event);
  return container === null && piece === null;
}

export function isSameSubject(left: Subject, right: Subject): boolean {
  return left.container === right.container && left.piece === right.piece;
}

/** True when one is about the other or about a part of it. */
export function isRelated(left: Subject, right: Subject): boolean {
  return isOpenOrSame(left.container, right.container) && isOpenOrSame(left.piece, right.piece);
}

function isOpenOrSame(left: string | null, right: string | null): boolean {
  return left === null || right === null || left === right;
}

/** The source of an event as clients see it: `client:acme-terminal` for one that a source of the client pushed. */
export function shownSource({ source, details }: Pick<ReadEvent, 'source' | 'details'>): string {
  return details?.sourceName === undefined ? source : `client:${details.sourceName}`;
}
