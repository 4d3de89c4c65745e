import fc from 'fast-check';
import { expect, it } from 'vitest';
import { boxOf, placeLabels } from '#shared/route-map/place-labels.ts';

const size = { width: 984, height: 280 };
const anchor = fc.record({
  x: fc.integer({ min: 0, max: size.width }),
  y: fc.integer({ min: 0, max: size.height }),
  title: fc.string({ minLength: 1, maxLength: 26 }),
  detail: fc.string({ maxLength: 24 }),
  weight: fc.integer({ min: 1, max: 5 }),
});
const anchors = fc
  .array(anchor, { maxLength: 40 })
  .map((list) => list.map((one, index) => ({ ...one, id: String(index) })));

it('never overlaps labels, dots of other places, or the edge', () => {
  fc.assert(
    fc.property(anchors, (list) => {
      const labels = placeLabels(list, [], size);
      const boxes = labels.map((label) => ({ id: label.id, ...boxOf(label) }));
      for (const box of boxes) {
        expect(Math.min(box.x0, box.y0)).toBeGreaterThanOrEqual(0);
        expect(box.x1).toBeLessThanOrEqual(size.width);
        expect(box.y1).toBeLessThanOrEqual(size.height);
        for (const other of boxes) {
          if (other.id === box.id) continue;
          expect(box.x0 < other.x1 && other.x0 < box.x1 && box.y0 < other.y1 && other.y0 < box.y1).toBe(false);
        }
        const own = list.find(({ id }) => id === box.id);
        for (const { x, y } of list) {
          if (x === own?.x && y === own.y) continue;
          expect(x > box.x0 && x < box.x1 && y > box.y0 && y < box.y1).toBe(false);
        }
      }
    }),
  );
});

it('prefers the label with the higher weight', () => {
  const one = { x: 60, y: 40, detail: 'detail', title: 'a title of some length' };
  const labels = placeLabels(
    [
      { ...one, id: 'light', weight: 1 },
      { ...one, id: 'heavy', weight: 2 },
    ],
    [],
    { width: 260, height: 60 },
  );
  expect(labels.map(({ id }) => id)).toContain('heavy');
  expect(labels[0]?.id).toBe('heavy');
});

it('avoids the route if there is room', () => {
  const route = Array.from({ length: 60 }, (_, index) => ({ x: 500 + index * 4, y: 140 }));
  const [label] = placeLabels([{ id: 'a', x: 500, y: 140, title: 'Busan', detail: 'KRPUS', weight: 1 }], route, size);
  expect(label?.align).not.toBe('start');
});
