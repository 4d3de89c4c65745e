import { expect, it } from 'vitest';
import { createSweepPace } from '#services/worker/pacing/backpressure.ts';

function openPace({ waiting = 0, workers = 1 } = {}) {
  const state = { ms: 0, waiting, active: 32 * workers };
  const queueCounts = async () => ({ waiting: state.waiting, active: state.active });
  const pace = createSweepPace({ queueCounts, workers: () => workers, jobsPerWorker: 32, now: () => state.ms });
  const work = (perS: number, seconds: number): void => {
    for (let tenth = 0; tenth < seconds * 10; tenth++) {
      state.ms += 100;
      for (let job = 0; job < perS / 10 / 20; job++) pace.done('dcsa', 20);
    }
  };
  return { state, pace, work };
}

it('lets a queue hold a few seconds of work, and no more', async () => {
  const { state, pace, work } = openPace();
  expect(await pace.room('dcsa')).toBeGreaterThan(100);
  work(2000, 5);
  const room = await pace.room('dcsa');
  expect(room).toBeGreaterThan(4000);
  expect(room).toBeLessThan(10 * 2000);
  // 20 shipments a job.
  state.waiting = room / 20;
  expect(await pace.room('dcsa')).toBeLessThan(100);
});

it('divides the room among the workers, separately for each connector', async () => {
  const alone = openPace();
  const shared = openPace({ workers: 4 });
  alone.work(1000, 5);
  shared.work(1000, 5);
  expect(await shared.pace.room('dcsa')).toBeLessThan((await alone.pace.room('dcsa')) * 1.1);
  expect(await alone.pace.room('ups')).toBeLessThan(1000);
});

it('ignores work that was done long ago', async () => {
  const { state, pace, work } = openPace();
  const before = await pace.room('dcsa');
  work(2000, 5);
  state.ms += 60_000;
  expect(await pace.room('dcsa')).toBe(before);
});

it('ignores jobs whose claims were over', async () => {
  const { pace, work } = openPace();
  work(200, 5);
  const before = await pace.room('dcsa');
  for (let job = 0; job < 1000; job++) pace.done('dcsa', 0);
  expect(await pace.room('dcsa')).toBe(before);
});

it('adds nothing to a queue whose jobs don’t finish', async () => {
  const { pace } = openPace({ waiting: 1 });
  expect(await pace.room('dcsa')).toBe(0);
});

it("lets a slow carrier's queue hold what can be refreshed before the leases expire", async () => {
  const { state, pace, work } = openPace();
  for (let second = 0; second < 5; second++) {
    pace.done('dcsa', 1);
    state.ms += 1000;
  }
  expect(await pace.room('dcsa')).toBeLessThanOrEqual(60);
  work(2000, 1);
  expect(await pace.room('dcsa')).toBeGreaterThan(500);
});

it('fills the queue of idle workers with more each time, because their speed is only that of the sweep', async () => {
  const { state, pace, work } = openPace();
  work(200, 5);
  const busy = await pace.room('dcsa');
  state.active = 1;
  expect(await pace.room('dcsa')).toBeGreaterThan(2 * busy);
  state.waiting = 1;
  expect(await pace.room('dcsa')).toBeLessThan(busy);
});
