/**
 * Sets a value and returns it. Beyond `max` entries, the one that was set first is forgotten. For caches of values that
 * can be computed again, whose keys come from outside.
 */
export function setBounded<Key, Value>(cache: Map<Key, Value>, entry: { key: Key; value: Value; max: number }): Value {
  const { key, value, max } = entry;
  cache.set(key, value);
  const [oldest] = cache.size > max ? cache.keys() : [];
  if (oldest !== undefined) cache.delete(oldest);
  return value;
}
