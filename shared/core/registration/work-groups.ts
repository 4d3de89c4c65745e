/** What became of one item: its result, or why it has none. */
export type Settled<Result> = Result | Error;

export type WorkGroups<Item, Result> = {
  /** Resolves with the item's result, or rejects with its error, once its group is done. */
  add: (item: Item) => Promise<Result>;
};

export type WorkGroupOptions<Item, Result> = {
  /** Items with the same lane may share a group. */
  laneOf: (item: Item) => string;
  /** Two items with the same name must not share a group; null: it may share with any. */
  nameOf: (item: Item) => string | null;
  /** Groups of one lane that may be under way at the same time. */
  maxRunning: number;
  maxSize: number;
  /** Does the work of a group; gives as many results as there are items, in their order. When it throws, that is every item's error. */
  run: (items: [Item, ...Item[]]) => Promise<Settled<Result>[]>;
};

type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: Error) => void };
type Lane<Item, Result> = { waiting: Waiting<Item, Result>[]; running: number };

/**
 * Gathers items that come while the groups before them are under way, and hands them over together as soon as one of those is done. There is no
 * timer: an item that finds its lane idle goes at once, alone.
 */
export function openWorkGroups<Item, Result>(options: WorkGroupOptions<Item, Result>): WorkGroups<Item, Result> {
  const lanes = new Map<string, Lane<Item, Result>>();

  const runNext = (key: string, lane: Lane<Item, Result>): void => {
    if (lane.running >= options.maxRunning) return;
    const group = takeGroup(lane, options);
    const [first, ...others] = group;
    if (first === undefined) {
      if (lane.running === 0) lanes.delete(key);
      return;
    }
    lane.running += 1;
    void settleGroup([first, ...others], options.run).finally(() => {
      lane.running -= 1;
      runNext(key, lane);
    });
  };

  return {
    add: (item) => {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const key = options.laneOf(item);
      const lane = lanes.get(key) ?? { waiting: [], running: 0 };
      lanes.set(key, lane);
      lane.waiting.push({ item, resolve, reject });
      runNext(key, lane);
      return promise;
    },
  };
}

/** The first ones that wait; one whose name is in the group already waits for the next. */
function takeGroup<Item, Result>(
  lane: Lane<Item, Result>,
  { maxSize, nameOf }: WorkGroupOptions<Item, Result>,
): Waiting<Item, Result>[] {
  const group: Waiting<Item, Result>[] = [];
  const left: Waiting<Item, Result>[] = [];
  const names = new Set<string>();
  for (const one of lane.waiting) {
    const name = nameOf(one.item);
    if (group.length >= maxSize || (name !== null && names.has(name))) {
      left.push(one);
      continue;
    }
    group.push(one);
    if (name !== null) names.add(name);
  }
  lane.waiting = left;
  return group;
}

async function settleGroup<Item, Result>(
  group: [Waiting<Item, Result>, ...Waiting<Item, Result>[]],
  run: WorkGroupOptions<Item, Result>['run'],
): Promise<void> {
  const [first, ...others] = group;
  let results: Settled<Result>[];
  try {
    results = await run([first.item, ...others.map((one) => one.item)]);
  } catch (error) {
    const reason = error instanceof Error ? error : new Error('the group failed', { cause: error });
    results = group.map(() => reason);
  }
  for (const [place, { resolve, reject }] of group.entries()) {
    const result = place < results.length ? results[place] : new Error('the group gave no result for an item');
    if (result instanceof Error) reject(result);
    else resolve(result as Result);
  }
}
