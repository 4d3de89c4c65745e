import type { EventDetails, Place, ReadEvent, Reading } from '#shared/domain/events/event.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { carrierTime } from '#shared/places/carrier-time.ts';
import { child, type LenientObject, listedItems, readObject, text } from '../lenient-object.ts';
import { bareEvent } from '../reading/bare-event.ts';
import { readCount } from '../reading/stated-facts.ts';
import { readWeightKg } from '../reading/weight-kg.ts';
import { meaningOfMove, modeOfMove } from './cosco-moves.ts';
import { coscoPlace } from './cosco-place.ts';

export type CoscoReading = Omit<Reading, 'source'>;

/**
 * Parses the response for a container number: the moves of its present journey. `containerHistorys` holds the
 * container's earlier journeys, which are of other shipments.
 */
export function readCoscoContainer(content: LenientObject, number: string): CoscoReading {
  const { items, unreadable } = listedItems(content, 'containers');
  const events: ReadEvent[] = [];
  for (const raw of items) {
    const one = readObject(raw);
    if (one === null || !(one.has('containercirclestatus') || one.has('container'))) {
      unreadable.push({ raw, reason: 'the container has no list of moves' });
      continue;
    }
    const described = child(one, 'container');
    const about = describedContainer(described, number);
    const moves = listedItems(one, 'containerCircleStatus');
    unreadable.push(...moves.unreadable, ...about.unreadable);
    // Without moves, the container's own label is its last one.
    const raws = moves.items.length === 0 && described !== null ? [one.get('container')] : moves.items;
    for (const move of raws) {
      const event = readCoscoMove(move, about);
      if ('reason' in event) unreadable.push(event);
      else events.push(event);
    }
  }
  return { events, unreadable };
}

/** COSCO's facts on a container beyond its moves. */
export type ContainerFacts = {
  number: string | null;
  isoType: string | null;
  seals: string[];
  details: EventDetails;
  unreadable: UnreadableEvent[];
};

export function describedContainer(container: LenientObject | null, number: string | null): ContainerFacts {
  const weight = readWeightKg(container?.get('grossweight'), null);
  const pieces = readCount(container?.get('piecesnumber'), 'piecesNumber');
  const seal = text(container, 'sealNumber');
  return {
    number: (text(container, 'containerNumber') ?? number)?.replace(/\s/g, '').toUpperCase() ?? null,
    isoType: text(container, 'containerType'),
    seals: seal === null ? [] : [seal],
    details: {
      ...(pieces.value === null ? {} : { piecesCount: pieces.value }),
      ...(weight.value === null ? {} : { weightKg: weight.value }),
    },
    unreadable: [...weight.unreadable, ...pieces.unreadable],
  };
}

/** One move: an entry of `containerCircleStatus`, or a container whose label is its last move. */
export function readCoscoMove(
  raw: unknown,
  about: ContainerFacts,
  hints: (Place | null)[] = [],
): ReadEvent | UnreadableEvent {
  const move = readObject(raw);
  if (move === null) return { raw, reason: 'the move is not an object' };
  const label = text(move, 'containerNumberStatus', 'label');
  if (label === null) return { raw, reason: 'the move has no label' };
  const written = text(move, 'timeOfIssue', 'locationDateTime');
  const location = coscoPlace(text(move, 'location'), hints);
  const time =
    written === null
      ? null
      : carrierTime(written, { policy: 'localNoOffset', place: location, zoneSource: 'location' });
  if (time === null)
    return { raw, reason: written === null ? 'the move has no time' : 'the time of the move is not one' };
  const mode = modeOfMove(text(move, 'transportation'));
  const { code, legRole, empty } = meaningOfMove(label, mode);
  const container = text(move, 'containerNumber')?.replace(/\s/g, '').toUpperCase() ?? about.number;
  return bareEvent({
    code,
    classifier: 'actual',
    legRole,
    time,
    location,
    container,
    isoType: about.isoType,
    mode,
    empty,
    seals: about.seals,
    carrierCode: label,
    carrierDescription: label,
    ...(Object.keys(about.details).length === 0 ? {} : { details: about.details }),
    raw,
  });
}
