/** Values that are read again when they are older than `freshMs`. Callers who ask at the same moment share one reading. */
export type FreshCache<T> = {
  get: (key: string, read: () => Promise<T>) => Promise<T>;
  clear: () => void;
};

const tidyAbove = 10_000;

/** A failed reading is not kept: the next caller reads again. */
export function createFreshCache<T>(freshMs: number, now: () => number = () => performance.now()): FreshCache<T> {
  const entries = new Map<string, { value: Promise<T>; untilMs: number }>();
  return {
    get: (key, read) => {
      const known = entries.get(key);
      if (known !== undefined && known.untilMs > now()) return known.value;
      if (entries.size > tidyAbove) for (const [old, { untilMs }] of entries) if (untilMs <= now()) entries.delete(old);
      const entry = { value: read(), untilMs: now() + freshMs };
      entries.set(key, entry);
      entry.value.catch(() => {
        if (entries.get(key) === entry) entries.delete(key);
      });
      return entry.value;
    },
    clear: () => entries.clear(),
  };
}
