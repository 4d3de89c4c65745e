/** How much a sweep may put on a connector's queue: a few seconds of what the workers do, so that nothing waits out its lease there. */
export type SweepPace = {
  /** A job is done that looked at so many shipments. Of one whose claims were over nothing was done: it says nothing of how fast refreshes go. */
  done: (connector: string, shipments: number) => void;
  /** Shipments that this worker may add to the queue now. */
  room: (connector: string) => Promise<number>;
};

export type SweepPaceOptions = {
  /** Jobs of a connector that wait in its queue, and that workers have in hand. */
  standing: (connector: string) => Promise<{ waiting: number; active: number }>;
  workers: () => number;
  /** Jobs of a connector that one worker can have in hand. */
  places: number;
  /** Monotonic milliseconds. */
  now?: () => number;
};

const measuredMs = 4000;
const bucketMs = 500;
/** Work that the queue holds: three seconds, for a sweep may be late by one or two. */
const heldMs = 3000;
/** Where nothing waits and nothing was done lately, enough to see how fast it goes. */
const firstRoom = 400;
/** What a slow carrier's queue may hold all the same; more would wait out its lease there. */
const leastHeld = 50;
/** Where most places are free, what is done is what was queued and not what can be done: the queue may hold so many times as much. */
const whileStarved = 3;

type Done = { atMs: number; shipments: number; jobs: number };

export function createSweepPace({
  standing,
  workers,
  places,
  now = () => performance.now(),
}: SweepPaceOptions): SweepPace {
  const doneBy = new Map<string, Done[]>();
  const recent = (connector: string): Done[] => {
    const kept = (doneBy.get(connector) ?? []).filter(({ atMs }) => now() - atMs < measuredMs);
    doneBy.set(connector, kept);
    return kept;
  };

  return {
    done: (connector, shipments) => {
      if (shipments === 0) return;
      const buckets = doneBy.get(connector) ?? [];
      const last = buckets.at(-1);
      if (last !== undefined && now() - last.atMs < bucketMs) {
        last.shipments += shipments;
        last.jobs += 1;
        return;
      }
      doneBy.set(connector, [...recent(connector), { atMs: now(), shipments, jobs: 1 }]);
    },
    room: async (connector) => {
      const done = recent(connector);
      const shipments = done.reduce((sum, one) => sum + one.shipments, 0);
      const jobs = done.reduce((sum, one) => sum + one.jobs, 0);
      const { waiting: waitingJobs, active } = await standing(connector);
      // Nothing goes out of this queue: more in it would only wait longer.
      if (jobs === 0) return waitingJobs > 0 ? 0 : Math.floor(firstRoom / workers());
      const overMs = Math.max(bucketMs, now() - (done[0]?.atMs ?? now()));
      const isStarved = waitingJobs === 0 && active < (places * workers()) / 2;
      const held = Math.max(leastHeld, ((shipments * workers()) / overMs) * heldMs * (isStarved ? whileStarved : 1));
      return Math.max(0, Math.floor((held - waitingJobs * (shipments / jobs)) / workers()));
    },
  };
}
