import type { RecordEvent, Shipment } from '#shared/domain/record/shipment.ts';
import { matchValue, matchValues } from '#shared/domain/registration/identifiers.ts';
import { placeText, shortText, timeText } from './tool-result.ts';

/** A part of a shipment that has a number of its own. */
export type MatchedNumber = {
  type: 'container' | 'tracking_number' | 'hbl' | 'hawb';
  number: string;
  status: string;
  isOf: (event: RecordEvent) => boolean;
};

/**
 * Names the part of a shipment that the searched number identifies: one of its containers, one of its pieces, or its
 * house bill. Null: it is the number of the whole shipment.
 */
export function matchedNumber({ identifiers, carrier, journey }: Shipment, sought: string): MatchedNumber | null {
  const values = matchValues(null, sought, null).candidates.map(({ value }) => value);
  const isSought = (number: string) => values.includes(matchValue(number));
  const { containers, pieces } = journey;
  const container = containers.length > 1 ? containers.find(({ number }) => isSought(number)) : undefined;
  if (container !== undefined) {
    const { number, status } = container;
    return { type: 'container', number, status, isOf: (event) => [null, number].includes(event.container) };
  }
  const piece = pieces.length > 1 ? pieces.find(({ trackingNumber }) => isSought(trackingNumber)) : undefined;
  if (piece !== undefined) {
    const { trackingNumber: number, status } = piece;
    const isOf = ({ details }: RecordEvent) => details?.piece === undefined || details.piece === number;
    return { type: 'tracking_number', number, status, isOf };
  }
  for (const type of ['hbl', 'hawb'] as const) {
    const number = identifiers[type];
    if (number !== undefined && values.includes(matchValues(type, number, carrier).stored))
      return { type, number, status: journey.status, isOf: () => true };
  }
  return null;
}

/** The number with its own status and its own last event. `events`: newest first. */
export function describeMatched(matched: MatchedNumber | null, events: readonly RecordEvent[]) {
  if (matched === null) return null;
  const last = lastEventOf(events, matched.isOf);
  return {
    type: matched.type,
    number: shortText(matched.number, 40),
    status: matched.status,
    last_event: last?.code,
    at: timeText(last?.time),
    place: placeText(last?.location),
    facility: shortText(last?.location?.facility, 40),
  };
}

/** The newest event that happened and counts. */
export function lastEventOf(
  events: readonly RecordEvent[],
  isOf: (event: RecordEvent) => boolean,
): RecordEvent | undefined {
  return events.find((event) => event.classifier === 'actual' && event.flags.length === 0 && isOf(event));
}
