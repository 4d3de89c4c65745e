import type { EventCode, ReadEvent } from '#shared/domain/events/event.ts';
import { placeKey } from '#shared/domain/events/place-key.ts';
import { edit, isFields } from '../edit-json.ts';
import { differences, type Outcome } from '../read-varied.ts';
import { editEvents, editTexts, type Relation } from '../relation.ts';

/** Codes that say less than any other. */
const vague: readonly EventCode[] = ['other', 'in_transit', 'exception', 'notice'];
/** Codes that end a journey, or seem to. */
const ends: readonly EventCode[] = ['delivered', 'returned', 'lost', 'destroyed', 'cancelled'];

export const wordRelations: readonly Relation[] = [
  {
    name: 'words in upper and lower case',
    holds: 'the record is the same but for the case of its words',
    variants: (_, shape) =>
      shape.words.length === 0
        ? []
        : [
            editTexts(shape, shape.words, (text) => text.toUpperCase()),
            editTexts(shape, shape.words, (text) => text.toLowerCase()),
          ],
    violations: (before, after) => differences(before, after, ['receivedBy', 'service']),
  },
  {
    name: 'codes removed, words left',
    holds: 'each event means the same or less; a delivery in words stays one, and nothing else becomes an end',
    variants: (_, shape) =>
      shape.words.length === 0 || shape.codes.length === 0
        ? []
        : [
            editEvents(shape, (event) =>
              isFields(event)
                ? shape.codes.reduce<unknown>((each, path) => edit(each, path, () => undefined), event)
                : event,
            ),
          ],
    violations: saysNoMore,
  },
  {
    name: 'words removed, codes left',
    holds: 'each event means the same or less, and nothing else becomes an end',
    variants: (_, shape) =>
      shape.words.length === 0 || shape.codes.length === 0
        ? []
        : [
            editEvents(shape, (event) =>
              isFields(event)
                ? shape.words.reduce<unknown>((each, path) => edit(each, path, () => undefined), event)
                : event,
            ),
          ],
    violations: endsNothing,
  },
];

const statesDelivery = /\bdelivered\b|\bzugestellt\b|\blivré/i;

function saysNoMore(before: Outcome, after: Outcome): string[] {
  const lost = pairs(before, after).flatMap(([was, is]) => {
    const isKept = was.code === is.code || vague.includes(is.code);
    const isLost =
      was.code === 'delivered' && is.code !== 'delivered' && statesDelivery.test(was.carrierDescription ?? '');
    return isKept && !isLost ? [] : [`${was.code} → ${is.code}: ${was.carrierDescription}`];
  });
  return [...lost, ...endsNothing(before, after)];
}

function endsNothing(before: Outcome, after: Outcome): string[] {
  return pairs(before, after)
    .filter(([was, is]) => was.code !== is.code && ends.includes(is.code))
    .map(([was, is]) => `${was.code} → ${is.code}: ${was.carrierDescription ?? was.carrierCode}`);
}

/** The events that have the same time and place in both. */
function pairs(before: Outcome, after: Outcome): [ReadEvent, ReadEvent][] {
  const keyOf = ({ time, location, classifier }: ReadEvent) => `${classifier} ${time.at} ${placeKey(location)}`;
  return before.reading.events.flatMap((was) => {
    const same = after.reading.events.filter((is) => keyOf(is) === keyOf(was));
    const isOnly = before.reading.events.filter((each) => keyOf(each) === keyOf(was)).length === 1;
    return isOnly ? same.map((is): [ReadEvent, ReadEvent] => [was, is]) : [];
  });
}
