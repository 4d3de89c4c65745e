import { placeKey } from '#shared/domain/events/place-key.ts';
import { edit, find, isFields } from '../edit-json.ts';
import type { Outcome, Vary } from '../read-varied.ts';
import { editEvents, editTexts, eventsIn, type Relation } from '../relation.ts';
import type { Shape } from '../shapes.ts';

const offset = /([+-]\d{2}:?\d{2})$/;
const ends = ['delivered', 'returned', 'cancelled', 'failed'];

export const timeRelations: readonly Relation[] = [
  {
    name: 'offset removed where the place has one',
    holds: 'a time is the same, or its zone is unknown',
    variants: (_, shape) =>
      shape.times.length === 0
        ? []
        : [editTexts(shape, shape.times, (text) => (/T/.test(text) ? text.replace(offset, '') : text))],
    violations: sameOrUnknown,
  },
  {
    name: 'offset in some scans of a place alone',
    holds: 'a time without an offset has that of another scan at its place',
    variants: (_, shape) =>
      shape.times.length === 0 || shape.place === null ? [] : [(body) => offsetInSome(body, shape)],
    violations: (_, { reading: { events } }) =>
      events
        .filter(({ classifier, time, location }) => {
          const isUnknown = classifier === 'actual' && time.zoneSource === 'assumed_utc' && time.precision !== 'date';
          const own = placeKey(location);
          return isUnknown && own !== null && events.some((each) => placeKey(each.location) === own && hasOffset(each));
        })
        .map(({ code, time }) => `${code} ${time.local}`),
  },
  {
    name: 'midnight without an offset',
    holds: 'the time is a day, and no status becomes or stops being an end',
    variants: (_, shape) =>
      shape.times.length === 0
        ? []
        : [
            (body) =>
              editEvents(
                shape,
                withoutGmt,
              )(editTexts(shape, shape.times, (text) => text.replace(/T\d{2}:\d{2}.*$/, 'T00:00:00'))(body)),
          ],
    violations: (before, after) => [
      ...after.reading.events
        .filter(({ classifier, time }) => classifier === 'actual' && /T00:00/.test(time.local))
        .map(({ code, time }) => `${code} at ${time.local}`),
      ...sameEnd(before, after),
    ],
  },
  {
    name: 'a clock without a date beside a full instant',
    holds: 'each time is the same to the minute',
    variants: ({ connector }) => (connector === 'usps' ? [clockAlone] : []),
    violations: ({ reading: was }, { reading: is }) => {
      const times = is.events.map(({ time }) => time.at.slice(0, 16));
      return was.events
        .filter(({ time }) => !times.includes(time.at.slice(0, 16)))
        .map(({ code, time }) => `${code} ${time.at}`);
    },
  },
];

/** An offset of zero is how carriers write UTC, wherever the place is. */
function hasOffset({ classifier, time }: Outcome['reading']['events'][number]): boolean {
  return classifier === 'actual' && time.zoneSource === 'carrier' && !time.at.startsWith(time.local.slice(0, 16));
}

/** The offset of every second event is removed, and all places are bare names. */
function offsetInSome(body: unknown, shape: Shape): unknown {
  const { times, place } = shape;
  if (
    place === null ||
    !times.some((path) => eventsIn(body, shape).some((event) => offset.test(String(find(event, path)[0]))))
  )
    return body;
  let count = 0;
  return editEvents(shape, (event) => {
    count += 1;
    const isBare = count % 2 === 0;
    const bare = times.reduce<unknown>(
      (changed, path) =>
        edit(changed, path, (text) => (isBare && typeof text === 'string' ? text.replace(offset, '') : text)),
      event,
    );
    const names = [place.country, place.state, place.postalCode];
    return edit(bare, place.at, (address) =>
      isFields(address)
        ? Object.fromEntries(Object.entries(address).filter(([name]) => !names.includes(name)))
        : address,
    );
  })(body);
}

function withoutGmt(event: unknown): unknown {
  if (!isFields(event)) return event;
  const { GMTTimestamp: _, GMTOffset: __, ...others } = event;
  return others;
}

function sameOrUnknown({ reading: was }: Outcome, { reading: is }: Outcome): string[] {
  return was.events.flatMap((event, index) => {
    const other = is.events[index];
    const isSame = other === undefined || other.time.at === event.time.at || other.time.zoneSource === 'assumed_utc';
    return isSame ? [] : [`${event.code} ${event.time.at} → ${other.time.at} by ${other.time.zoneSource}`];
  });
}

function sameEnd({ journey: was }: Outcome, { journey: is }: Outcome): string[] {
  const hasChanged = was.status !== is.status && (ends.includes(was.status) || ends.includes(is.status));
  return hasChanged ? [`${was.status} → ${is.status}`] : [];
}

/** USPS: the clock of the place, and the whole time in GMT. */
const clockAlone: Vary = (body) =>
  editEvents(
    {
      events: ['trackingEvents', '[].trackingEvents'],
      codes: [],
      words: [],
      times: [],
      place: null,
      summary: [],
      uses: null,
    },
    (event) => {
      const [written] = find(event, 'eventTimestamp');
      const [zone] = find(event, 'GMTOffset');
      const parts = /^([+-])(\d{1,2}):?(\d{2})$/.exec(String(zone ?? ''));
      if (!isFields(event) || typeof written !== 'string' || parts === null || !/T\d{2}:\d{2}/.test(written))
        return event;
      const minutes = (parts[1] === '-' ? -1 : 1) * (Number(parts[2]) * 60 + Number(parts[3]));
      const atMs = Date.parse(`${written.slice(0, 19)}Z`) - minutes * 60_000;
      const [hour, minute] = [Number(written.slice(11, 13)), written.slice(14, 16)];
      const clock = `${hour % 12 || 12}:${minute} ${hour < 12 ? 'am' : 'pm'}`;
      return edit(
        { ...event, GMTTimestamp: `${new Date(atMs).toISOString().slice(0, 19)}Z` },
        'eventTimestamp',
        () => clock,
      );
    },
  )(body);
