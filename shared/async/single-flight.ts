/**
 * Returns a function that makes one call per key at a time: further callers with the same key share its result or its
 * error. Nothing is kept after the call settles.
 */
export function singleFlight<Key, Result>(): (key: Key, call: () => Promise<Result>) => Promise<Result> {
  const underWay = new Map<Key, Promise<Result>>();
  return (key, call) => {
    const shared = underWay.get(key);
    if (shared !== undefined) return shared;
    const calling = call().finally(() => underWay.delete(key));
    underWay.set(key, calling);
    return calling;
  };
}
