/**
 * The result of one item, the error that is its own, or a promise of either for an item that settles before its batch.
 */
export type Outcome<Result> = Result | Error | Promise<Result>;

export type BatchOptions<Item, Result> = {
  maxSize: number;
  /** Batches of one key that run at the same time. */
  maxRunning: number;
  /** Items with different keys never share a batch and never wait for each other. Default: all have one key. */
  keyOf?: (item: Item) => string;
  /** Two items with the same name never share a batch. Null: the item may share with any. */
  nameOf?: (item: Item) => string | null;
  /** Delays the start of a batch that could run at once, so that items of one turn share it. Default: no delay. */
  defer?: (start: () => void) => void;
  /** Returns one outcome per item, in their order. An error that it throws becomes the error of every item. */
  run: (items: [Item, ...Item[]]) => readonly Outcome<Result>[] | Promise<readonly Outcome<Result>[]>;
};

type Waiting<Item, Result> = {
  item: Item;
  name: string | null;
  resolve: (result: Result | Promise<Result>) => void;
  reject: (error: unknown) => void;
};
type Queue<Item, Result> = { key: string; waiting: Waiting<Item, Result>[]; running: number; isDeferred: boolean };

/**
 * Combines single items into batches without a timer: while fewer than `maxRunning` batches run, an item starts at
 * once; otherwise it waits and starts together with whatever else arrived. Returns the function that adds an item.
 */
export function batch<Item, Result>(options: BatchOptions<Item, Result>): (item: Item) => Promise<Result> {
  const { maxSize, maxRunning, keyOf, nameOf, defer, run } = options;
  const queues = new Map<string, Queue<Item, Result>>();

  const start = (queue: Queue<Item, Result>): void => {
    while (queue.running < maxRunning && queue.waiting.length > 0) {
      queue.running += 1;
      void finish(queue, takeBatch(queue, maxSize, nameOf !== undefined));
    }
    if (queue.running === 0 && !queue.isDeferred) queues.delete(queue.key);
  };
  const finish = async (queue: Queue<Item, Result>, taken: Waiting<Item, Result>[]): Promise<void> => {
    await settle(taken, run);
    queue.running -= 1;
    start(queue);
  };

  return (item) => {
    const key = keyOf === undefined ? '' : keyOf(item);
    const name = nameOf === undefined ? null : nameOf(item);
    let queue = queues.get(key);
    if (queue === undefined) {
      queue = { key, waiting: [], running: 0, isDeferred: false };
      queues.set(key, queue);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    queue.waiting.push({ item, name, resolve, reject });
    if (queue.running >= maxRunning || queue.isDeferred) return promise;
    if (defer === undefined) start(queue);
    else {
      const deferred = queue;
      deferred.isDeferred = true;
      defer(() => {
        deferred.isDeferred = false;
        start(deferred);
      });
    }
    return promise;
  };
}

/** Takes the oldest items. Of items with the same name, only the first is taken; the others wait for the next batch. */
function takeBatch<Item, Result>(
  queue: Queue<Item, Result>,
  maxSize: number,
  isNamed: boolean,
): Waiting<Item, Result>[] {
  const { waiting } = queue;
  if (!isNamed || waiting.length === 1) {
    queue.waiting = waiting.length <= maxSize ? [] : waiting.slice(maxSize);
    return waiting.length <= maxSize ? waiting : waiting.slice(0, maxSize);
  }
  const taken: Waiting<Item, Result>[] = [];
  const left: Waiting<Item, Result>[] = [];
  const names = new Set<string>();
  for (const one of waiting) {
    if (taken.length >= maxSize || (one.name !== null && names.has(one.name))) {
      left.push(one);
      continue;
    }
    taken.push(one);
    if (one.name !== null) names.add(one.name);
  }
  queue.waiting = left;
  return taken;
}

/** Settles every item and resolves when the last one has settled. Never rejects. */
async function settle<Item, Result>(
  taken: readonly Waiting<Item, Result>[],
  run: BatchOptions<Item, Result>['run'],
): Promise<void> {
  const pending: Promise<Result>[] = [];
  try {
    const outcomes = await run(taken.map(({ item }) => item) as [Item, ...Item[]]);
    for (let place = 0; place < taken.length; place += 1) {
      const { resolve, reject } = taken[place] as Waiting<Item, Result>;
      const outcome = outcomes[place] as Outcome<Result>;
      if (place >= outcomes.length) reject(new Error('the batch returned no outcome for an item'));
      else if (outcome instanceof Error) reject(outcome);
      else resolve(outcome);
      if (outcome instanceof Promise) pending.push(outcome);
    }
  } catch (error) {
    for (const { reject } of taken) reject(error);
  }
  if (pending.length > 0) await Promise.allSettled(pending);
}
