import type { EventShape, ListPath, ShapedEvent } from './event-shapes.ts';
import type { Fault } from './faults.ts';

/** A host that must never be called. A client that follows this link is vulnerable. */
export const foreignLink = 'http://attacker.invalid/events?cursor=1';

/** Applies a fault to the JSON body of a response. Returns it unchanged for faults of another kind. */
export function spoilBody(body: unknown, shape: EventShape, fault: Fault): unknown {
  const spoilt = shape.lists.reduce(
    (whole, path) => editAt(whole, path, (events) => spoilEvents(events, shape, fault)),
    body,
  );
  const object =
    spoilt !== null && typeof spoilt === 'object' && !Array.isArray(spoilt) ? (spoilt as ShapedEvent) : null;
  if (fault.kind === 'cursor_loop') return object && shape.looped ? shape.looped(object) : spoilt;
  if (fault.kind === 'foreign_next_link') return object && shape.astray ? shape.astray(object, foreignLink) : spoilt;
  if (fault.kind !== 'wrapper_object') return spoilt;
  const items = shape.lists.flatMap((path) => listsAt(spoilt, path));
  return { metadata: { count: items.length }, data: { items } };
}

function spoilEvents(events: ShapedEvent[], shape: EventShape, fault: Fault): ShapedEvent[] {
  const newest = shape.newestFirst ? events[0] : events.at(-1);
  if (!newest) return events;
  switch (fault.kind) {
    case 'duplicates':
      return [...events, ...events];
    case 'shuffled':
      return events.map((_event, index) => events[(index * stepFor(events.length)) % events.length] ?? newest);
    case 'vanished_event': {
      const gone = shape.newestFirst ? events.find(shape.isActual) : events.findLast(shape.isActual);
      return events.filter((event) => event !== gone);
    }
    case 'unknown_event_type':
      return [{ ...newest, ...shape.strange }, ...events];
    case 'time_without_offset':
      return events.map(shape.withoutOffset);
    case 'local_time_stamped_utc':
      return events.map(shape.stampedUtc);
    case 'shared_event_id':
      return events.map((event) => withId(event, shape, newest[shape.id ?? '']));
    case 'missing_event_id':
      return events.map((event) => withId(event, shape, undefined));
    case 'number_for_string':
      return events.map(
        (event) => eachText(event, (text) => (/^\d{1,15}$/.test(text) ? Number(text) : text)) as ShapedEvent,
      );
    case 'empty_strings':
      // Removes optional text fields. Codes and times stay.
      return events.map((event) => mapValues(event, (value) => (isObject(value) ? eachText(value, () => '') : value)));
    default:
      return events;
  }
}

function withId(event: ShapedEvent, shape: EventShape, id: unknown): ShapedEvent {
  return shape.id === null ? event : { ...event, [shape.id]: id };
}

/** Edits the lists at a path. A single object in place of a list counts as a list of one. */
export function editAt(
  value: unknown,
  [step, ...rest]: ListPath,
  edit: (events: ShapedEvent[]) => ShapedEvent[],
): unknown {
  if (step === undefined) {
    if (Array.isArray(value)) return edit(value);
    if (!isObject(value)) return value;
    const edited = edit([value]);
    return edited.length === 1 ? edited[0] : edited;
  }
  if (step === '*') return Array.isArray(value) ? value.map((each) => editAt(each, rest, edit)) : value;
  return isObject(value) && step in value ? { ...value, [step]: editAt(value[step], rest, edit) } : value;
}

function listsAt(value: unknown, path: ListPath): unknown[] {
  const found: unknown[] = [];
  editAt(value, path, (events) => {
    found.push(...events);
    return events;
  });
  return found;
}

function eachText(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => eachText(each, change));
  return isObject(value) ? mapValues(value, (each) => eachText(each, change)) : value;
}

function mapValues(object: ShapedEvent, change: (value: unknown) => unknown): ShapedEvent {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value)]));
}

function isObject(value: unknown): value is ShapedEvent {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** A step that visits every index of a list of this length once, out of order. */
function stepFor(length: number): number {
  let step = Math.floor(length * 0.618) || 1;
  while (commonDivisor(step, length) !== 1) step += 1;
  return step;
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other);
}
