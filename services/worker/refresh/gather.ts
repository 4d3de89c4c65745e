export type GatherOptions = {
  /** Items that one flush takes at most. */
  most: number;
  /** Flushes that may be under way at the same time. */
  lanes: number;
};

/**
 * Joins single pieces of work into flushes, without a clock: a piece goes at once while a lane is free, else with everything that arrived
 * meanwhile. `flush` gives one promise for each item, in their order.
 */
export function gather<In, Out>(
  flush: (items: In[]) => readonly Promise<Out>[],
  { most, lanes }: GatherOptions,
): (item: In) => Promise<Out> {
  type Waiting = { item: In; resolve: (out: Out | Promise<Out>) => void; reject: (error: unknown) => void };
  let waiting: Waiting[] = [];
  let underWay = 0;
  let isAsked = false;

  const send = (): void => {
    isAsked = false;
    while (underWay < lanes && waiting.length > 0) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      underWay += 1;
      void settle(batch).finally(() => {
        underWay -= 1;
        send();
      });
    }
  };
  const settle = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const outs = flush(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const out = outs[index];
        if (out === undefined) reject(new Error('a flush gave no answer for an item'));
        else resolve(out);
      }
      await Promise.allSettled(outs);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Out>();
    waiting.push({ item, resolve, reject });
    // What one job brings in one turn of the loop goes together.
    if (!isAsked && underWay < lanes) {
      isAsked = true;
      queueMicrotask(send);
    }
    return promise;
  };
}
