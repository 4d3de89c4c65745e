/** Limits how much runs at the same time. Who waits starts in its order. */
export type Lane = {
  /** Resolves with the place. */
  enter: () => Promise<void> | undefined;
  leave: () => void;
  /** After the limit has grown. */
  check: () => void;
};

export function openLane(limit: () => number): Lane {
  const waiting: (() => void)[] = [];
  let running = 0;
  const check = (): void => {
    while (running < limit()) {
      const start = waiting.shift();
      if (start === undefined) return;
      running += 1;
      start();
    }
  };
  return {
    enter: () => {
      if (running < limit() && waiting.length === 0) {
        running += 1;
        return undefined;
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    leave: () => {
      running -= 1;
      check();
    },
    check,
  };
}
