import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  levelOf,
  maxScale,
  readView,
  viewText,
  viewToAsk,
  wholeWorld,
  worldScale,
  writeView,
} from '#services/dashboard/screens/map/world-view.ts';
import { contains, projection, readMapView, worldBounds, writeMapView } from '#shared/route-map/world-projection.ts';

const sizes = fc.constantFrom(
  { width: 1040, height: 800 },
  { width: 390, height: 240 },
  { width: 300, height: 700 },
  { width: 2560, height: 500 },
);
const places = fc.record({
  lat: fc.double({ min: -50, max: 75, noNaN: true }),
  lng: fc.double({ min: -160, max: 180, noNaN: true }),
  zoom: fc.double({ min: 0, max: 9, noNaN: true }),
});

/** The point of the map in the middle of the window. */
function middleOf({ x, y, k }: ReturnType<typeof readView>, { width, height }: { width: number; height: number }) {
  return { x: (width / 2 - x) / k, y: (height / 2 - y) / k };
}

describe('the view in the URL', () => {
  it('opens as the same view', () => {
    fc.assert(
      fc.property(sizes, places, (size, { lat, lng, zoom }) => {
        const view = readView({ center: `${lat},${lng}`, zoom: String(zoom) }, size);
        const written = writeView(view, size);
        if (written.center === '') {
          expect(view.k / worldScale(size)).toBeLessThanOrEqual(1.004);
          return;
        }
        const again = readView(written, size);
        expect(again.k / view.k).toBeCloseTo(1, 2);
        const [from, to] = [middleOf(view, size), middleOf(again, size)];
        expect(Math.hypot(to.x - from.x, to.y - from.y) * view.k).toBeLessThan(10);
      }),
    );
  });

  it('shows no more sea beyond the edges than the window needs', () => {
    const [[left, top], [right, bottom]] = worldBounds;
    fc.assert(
      fc.property(sizes, places, (size, { lat, lng, zoom }) => {
        const { x, y, k } = readView({ center: `${lat},${lng}`, zoom: String(zoom) }, size);
        expect(k).toBeGreaterThanOrEqual(worldScale(size));
        expect(k).toBeLessThanOrEqual(maxScale);
        if ((right - left) * k >= size.width)
          expect([x <= -left * k + 1e-6, x >= size.width - right * k - 1e-6]).toEqual([true, true]);
        if ((bottom - top) * k >= size.height)
          expect([y <= -top * k + 1e-6, y >= size.height - bottom * k - 1e-6]).toEqual([true, true]);
      }),
    );
  });

  it.each([
    ['', ''],
    ['12', '4'],
    ['north,east', '4'],
    ['12,40', 'close'],
    ['95,10', '4'],
    ['12,40,7', '4'],
    ['12,40', '-3'],
  ])('is the whole world for an address that names no view: %s at %s', (center, zoom) => {
    const size = { width: 1040, height: 800 };
    expect(readView({ center, zoom }, size)).toEqual(wholeWorld(size));
    expect(writeView(wholeWorld(size), size)).toEqual({ center: '', zoom: '' });
  });

  it('of a point is centered on the point', () => {
    const size = { width: 1040, height: 800 };
    const [x = 0, y = 0] = projection([103.8, 1.3]) ?? [];
    const view = readView(viewText([x, y], 8), size);
    expect(view.x + x * view.k).toBeCloseTo(size.width / 2, -1);
    expect(view.y + y * view.k).toBeCloseTo(size.height / 2, -1);
  });
});

it('asks for more than is visible, and for nothing new after a short move at the same zoom', () => {
  const size = { width: 1040, height: 800 };
  fc.assert(
    fc.property(places, fc.integer({ min: -90, max: 90 }), ({ lat, lng, zoom }, by) => {
      const view = readView({ center: `${lat},${lng}`, zoom: String(zoom) }, size);
      const asked = viewToAsk(null, view, size);
      expect(viewToAsk(asked, view, size)).toBe(asked);
      expect(viewToAsk(asked, view.translate(by / view.k, by / view.k), size)).toBe(asked);
      expect(viewToAsk(asked, view.scale(2), size)).not.toBe(asked);
      const read = readMapView(writeMapView(asked));
      expect(read.scale).toBeCloseTo(asked.scale, 4);
      const slack = {
        left: asked.left + 0.01,
        top: asked.top + 0.01,
        right: asked.right - 0.01,
        bottom: asked.bottom - 0.01,
      };
      expect(contains(read, slack)).toBe(true);
    }),
  );
});

it('joins circles for a scale that the map has reached, so that they never overlap', () => {
  fc.assert(
    fc.property(fc.double({ min: 0.2, max: 40, noNaN: true }), (scale) => {
      expect(levelOf(scale)).toBeLessThanOrEqual(scale * 1.000001);
      expect(levelOf(scale) * Math.SQRT2).toBeGreaterThan(scale * 0.999999);
    }),
  );
});
