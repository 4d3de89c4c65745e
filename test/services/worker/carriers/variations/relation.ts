import { edit, find, isFields } from './edit-json.ts';
import type { Fixture, Outcome, Vary } from './read-varied.ts';
import { type Shape, shapes } from './shapes.ts';

/**
 * A relation between two answers and their records. `variants`: changes of an answer, none if the fixture has nothing to
 * change. `violations`: in what the record of the changed answer breaks the relation.
 */
export type Relation = {
  name: string;
  /** The rule between both records, in words. */
  holds: string;
  variants: (fixture: Fixture, shape: Shape) => Vary[];
  violations: (before: Outcome, after: Outcome, fixture: Fixture) => string[];
};

/** Changes each event of an answer. */
export function editEvents(shape: Shape, change: (event: unknown) => unknown): Vary {
  return (body) =>
    shape.events.reduce(
      (changed, path) =>
        edit(changed, path, (list) =>
          Array.isArray(list) ? list.map(change).filter((each) => each !== undefined) : list,
        ),
      body,
    );
}

/** Changes each text at these paths of each event. */
export function editTexts(shape: Shape, paths: readonly string[], change: (text: string) => string): Vary {
  return editEvents(shape, (event) =>
    isFields(event)
      ? paths.reduce<unknown>(
          (changed, path) => edit(changed, path, (text) => (typeof text === 'string' ? change(text) : text)),
          event,
        )
      : event,
  );
}

/** The events of an answer. */
export function eventsIn(body: unknown, shape: Shape): unknown[] {
  return shape.events.flatMap((path) => find(body, path).flatMap((list) => (Array.isArray(list) ? list : [])));
}

export function shapeOf({ connector }: Fixture): Shape {
  return shapes[connector];
}
