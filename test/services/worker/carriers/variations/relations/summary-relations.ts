import type { Status } from '#shared/domain/record/shipment.ts';
import { edit, find, isFields } from '../edit-json.ts';
import type { Outcome, Vary } from '../read-varied.ts';
import type { Relation } from '../relation.ts';
import type { Shape } from '../shapes.ts';

const ends: readonly Status[] = ['delivered', 'returned', 'cancelled', 'failed'];

/** The carrier's own summary of a shipment beside its list of events. */
export const summaryRelations: readonly Relation[] = [
  {
    name: 'list removed, summary left',
    holds: 'a shipment that the summary ends has ended, and no other has',
    variants: (_, shape) => (shape.summary.length === 0 ? [] : [withoutList(shape)]),
    violations: sameEnd,
  },
  {
    name: 'summary removed, list left',
    holds: 'a shipment that the list ends has ended, and no other has',
    variants: (_, shape) => (shape.summary.length === 0 ? [] : [withoutSummary(shape)]),
    violations: sameEnd,
  },
  {
    name: 'summary newer than the list',
    holds: 'a shipment that has ended has ended, though the list lacks its last events',
    variants: (_, shape) => (shape.summary.length === 0 ? [] : [withoutNewest(shape)]),
    violations: sameEnd,
  },
];

function withoutList(shape: Shape): Vary {
  return (body) =>
    hasSummary(body, shape) ? shape.events.reduce((changed, path) => edit(changed, path, () => []), body) : body;
}

function withoutSummary(shape: Shape): Vary {
  return (body) =>
    shape.events.some((path) => find(body, path).some((list) => Array.isArray(list) && list.length > 0))
      ? shape.summary.reduce((changed, path) => edit(changed, path, () => undefined), body)
      : body;
}

/** Without the events of the newest time, which is the only thing that the list lacks. */
function withoutNewest(shape: Shape): Vary {
  const timeOf = (event: unknown) =>
    isFields(event)
      ? (shape.times.flatMap((path) => find(event, path)).map(String)[0] ?? `${event.date ?? ''}${event.time ?? ''}`)
      : '';
  return (body) =>
    hasSummary(body, shape)
      ? shape.events.reduce(
          (changed, path) =>
            edit(changed, path, (list) => {
              if (!Array.isArray(list) || list.length < 2) return list;
              const newest = list.map(timeOf).toSorted().at(-1);
              return list.filter((event) => timeOf(event) !== newest);
            }),
          body,
        )
      : body;
}

function hasSummary(body: unknown, shape: Shape): boolean {
  const [main = ''] = shape.summary;
  return find(body, main).some((each) => each !== null && each !== undefined);
}

function sameEnd({ journey: was }: Outcome, { journey: is }: Outcome): string[] {
  const hasChanged = was.status !== is.status && (ends.includes(was.status) || ends.includes(is.status));
  return hasChanged ? [`${was.status} → ${is.status}`] : [];
}
