import { expect, it } from 'vitest';
import { createHeadPlaces } from '#shared/queue/producer.ts';

it('gives a client that registers continuously only a few places at the head of each queue', () => {
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
