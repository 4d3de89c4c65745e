import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bareEvent } from '#services/worker/carriers/reading/bare-event.ts';
import type { ReadEvent, TrackingEvent } from '#shared/domain/events/event.ts';
import { planStatements } from '#shared/domain/events-in/plan-statements.ts';
import { runs } from '#test/support/run-scale.ts';

const sourceName = 'acme';
let ids = 0;
const nextId = () => `00000000-0000-7000-8000-${String(ids++).padStart(12, '0')}`;
const at = (minute: number) => new Date(Date.UTC(2026, 3, 1, 0, minute)).toISOString();

type Sketch = { id: string | null; says: number; made: number | null; kind: 'actual' | 'estimated' };

function read({ id, says, made, kind }: Sketch): ReadEvent {
  return bareEvent({
    code: 'arrived',
    classifier: kind,
    time: { at: at(says), local: at(says).slice(0, 19), timezone: 'UTC', zoneSource: 'carrier', precision: 'second' },
    location: null,
    container: null,
    sourceEventId: id,
    sourceCreatedAt: made === null ? null : at(made),
    source: 'client',
    details: { sourceName },
    raw: null,
  });
}

const event = (changes: Partial<Sketch> = {}): Sketch => ({ id: 'a', says: 1, made: null, kind: 'actual', ...changes });

/** The stored events of a source, to which posts are added one after the other. */
class Stored {
  rows: TrackingEvent[] = [];
  #minute = 10_000;

  post(...sketches: Sketch[]): string[] {
    this.#minute += 1;
    const receivedAt = at(this.#minute);
    const statements = sketches.map((sketch) => ({ id: nextId(), event: read(sketch) }));
    const plan = planStatements(this.rows, statements, { sourceName, receivedAt });
    this.#move(plan.superseded);
    this.rows.push(
      ...plan.inserts.map(({ id, event: { raw: _, ...body }, dedupeText, supersededBy }) => ({
        ...body,
        id,
        dedupeKey: dedupeText,
        receivedAt,
        supersededBy,
        voidedAt: null,
      })),
    );
    return plan.outcomes.map(({ outcome }) => outcome);
  }

  void(sketch: Sketch): void {
    const { time, sourceEventId, sourceCreatedAt, classifier } = read(sketch);
    this.rows = this.rows.map((row) =>
      row.time.at === time.at &&
      row.sourceEventId === sourceEventId &&
      row.sourceCreatedAt === sourceCreatedAt &&
      row.classifier === classifier
        ? { ...row, voidedAt: at(0) }
        : row,
    );
    this.#move(planStatements(this.rows, [], { sourceName, receivedAt: at(0) }).superseded);
  }

  #move(superseded: { id: string; supersededBy: string | null }[]): void {
    const successors = new Map(superseded.map(({ id, supersededBy }) => [id, supersededBy]));
    this.rows = this.rows.map((row) => ({
      ...row,
      supersededBy: successors.get(row.id) ?? (successors.has(row.id) ? null : row.supersededBy),
    }));
  }

  /** Returns the facts of the live rows, without their ids. */
  live(): string[] {
    const live = this.rows.filter((row) => row.supersededBy === null && row.voidedAt === null);
    return live.map((row) => `${row.sourceEventId} ${row.classifier} ${row.time.at} ${row.sourceCreatedAt}`).sort();
  }
}

describe('planStatements', () => {
  it('adds an event once, and replaces it under its id', () => {
    const stored = new Stored();
    expect(stored.post(event())).toEqual(['added']);
    expect(stored.post(event())).toEqual(['unchanged']);
    expect(stored.post(event({ says: 2 }))).toEqual(['replaced']);
    expect(stored.live()).toEqual([`a actual ${at(2)} null`]);
  });

  it('keeps a statement replaced, unless it was stated again later', () => {
    const stored = new Stored();
    stored.post(event({ made: 1 }), event({ says: 2, made: 2 }));
    expect(stored.post(event({ made: 1 }))).toEqual(['outdated']);
    expect(stored.post(event({ made: 3 }))).toEqual(['replaced']);
    expect(stored.live()).toEqual([`a actual ${at(1)} ${at(3)}`]);
  });

  it('applies the rows of one post in their order', () => {
    const stored = new Stored();
    expect(stored.post(event({ says: 9 }), event({ says: 3 }))).toEqual(['outdated', 'replaced']);
    expect(stored.live()).toEqual([`a actual ${at(3)} null`]);
  });

  it('keeps actual events without an id side by side, and only the latest estimate', () => {
    const stored = new Stored();
    stored.post(event({ id: null, says: 1 }), event({ id: null, says: 2 }));
    stored.post(event({ id: 'x', says: 5, kind: 'estimated' }));
    stored.post(event({ id: 'y', says: 4, kind: 'estimated' }));
    expect(stored.live()).toEqual([
      `null actual ${at(1)} null`,
      `null actual ${at(2)} null`,
      `y estimated ${at(4)} null`,
    ]);
  });

  it('leaves a voided statement void, and returns to the estimate before it', () => {
    const stored = new Stored();
    stored.post(event({ id: 'x', says: 5, kind: 'estimated' }));
    stored.post(event({ id: 'y', says: 4, kind: 'estimated' }), event());
    stored.void(event({ id: 'y', says: 4, kind: 'estimated' }));
    stored.void(event());
    expect(stored.post(event(), event({ id: 'y', says: 4, kind: 'estimated' }))).toEqual(['voided', 'voided']);
    expect(stored.live()).toEqual([`x estimated ${at(5)} null`]);
  });

  it('does not return to an earlier version of a voided event', () => {
    const stored = new Stored();
    stored.post(event(), event({ says: 2 }));
    stored.void(event({ says: 2 }));
    expect(stored.live()).toEqual([]);
  });

  it('ends the same for any order of posts, doubled posts and voids', () => {
    const sketch = fc.record({
      id: fc.constantFrom('a', 'b', 'c'),
      says: fc.integer({ min: 1, max: 4 }),
      kind: fc.constantFrom('actual' as const, 'estimated' as const),
    });
    const run = fc.record({
      order: fc.array(fc.nat()),
      doubled: fc.array(fc.nat(), { maxLength: 8 }),
      size: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(
        fc.array(sketch, { minLength: 1, maxLength: 9 }),
        fc.array(fc.nat(), { maxLength: 3 }),
        run,
        run,
        (sketches, voided, ...orders) => {
          // Each statement is made at a time of its own: otherwise the order of arrival decides, as documented.
          const all = sketches.map((one, place) => ({ ...one, made: place + 1 }));
          const voids = new Set(voided.map((place) => all[place % all.length]));
          const ends = orders.map(({ order, doubled, size }) => {
            const stored = new Stored();
            const posts = shuffled([...all, ...doubled.map((place) => all[place % all.length] as Sketch)], order);
            const pending = new Set(voids);
            for (let start = 0; start < posts.length; start += size) {
              const some = posts.slice(start, start + size);
              stored.post(...some);
              for (const one of some) if (pending.delete(one as (typeof all)[number])) stored.void(one);
            }
            return stored.live();
          });
          expect(ends[1]).toEqual(ends[0]);
        },
      ),
      { numRuns: runs(3000) },
    );
  });
});

function shuffled<Value>(values: readonly Value[], order: readonly number[]): Value[] {
  return values
    .map((value, place) => ({ value, key: order[place] ?? place }))
    .sort((left, right) => left.key - right.key)
    .map(({ value }) => value);
}
