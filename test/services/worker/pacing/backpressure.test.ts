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

it('a queue holds a few seconds of what the workers do, and no more', async () => {
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

it('workers that sweep at the same time share the room, and another connector has its own', async () => {
  const alone = openPace();
  const shared = openPace({ workers: 4 });
  alone.work(1000, 5);
  shared.work(1000, 5);
  expect(await shared.pace.room('dcsa')).toBeLessThan((await alone.pace.room('dcsa')) * 1.1);
  expect(await alone.pace.room('ups')).toBeLessThan(1000);
});

it('what was done long ago does not count', async () => {
  const { state, pace, work } = openPace();
  const before = await pace.room('dcsa');
  work(2000, 5);
  state.ms += 60_000;
  expect(await pace.room('dcsa')).toBe(before);
});

it('jobs whose claims were over do not make the workers look fast', async () => {
  const { pace, work } = openPace();
  work(200, 5);
  const before = await pace.room('dcsa');
  for (let job = 0; job < 1000; job++) pace.done('dcsa', 0);
  expect(await pace.room('dcsa')).toBe(before);
});

it('a queue from which nothing goes out takes no more', async () => {
  const { pace } = openPace({ waiting: 1 });
  expect(await pace.room('dcsa')).toBe(0);
});

it("a slow carrier's queue holds what can be looked at before its leases end", async () => {
  const { state, pace, work } = openPace();
  for (let second = 0; second < 5; second++) {
    pace.done('dcsa', 1);
    state.ms += 1000;
  }
  expect(await pace.room('dcsa')).toBeLessThanOrEqual(60);
  work(2000, 1);
  expect(await pace.room('dcsa')).toBeGreaterThan(500);
});

it('a queue that runs empty while places are free is filled by more each time, for what is done is only what was queued', async () => {
  const { state, pace, work } = openPace();
  work(200, 5);
  const busy = await pace.room('dcsa');
  state.active = 1;
  expect(await pace.room('dcsa')).toBeGreaterThan(2 * busy);
  state.waiting = 1;
  expect(await pace.room('dcsa')).toBeLessThan(busy);
});
