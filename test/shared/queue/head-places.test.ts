import { expect, it } from 'vitest';
import { createHeadPlaces } from '#shared/queue/head-places.ts';

it('whoever registers without a pause takes few of the places at the head; the rest waits its turn behind the sweep', () => {
  const clock = { ms: 0 };
  const places = createHeadPlaces(() => clock.ms);
  const takeAll = () => Array.from({ length: 1000 }, () => places.take('ups')).filter(Boolean).length;
  expect(takeAll()).toBe(20);
  clock.ms += 1000;
  expect(takeAll()).toBe(10);
  expect(places.take('dhl')).toBe(true);
  clock.ms += 3_600_000;
  expect(takeAll()).toBe(20);
});
