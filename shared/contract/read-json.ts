/** Parsed JSON, or why it was refused. */
export type ReadJson = { value: unknown } | { problem: 'not_json' | 'prototype_key' };

/** Parses untrusted JSON. A key `__proto__` at any depth is refused, because objects would silently drop it. */
export function readJson(text: string): ReadJson {
  let prototypeKey = false;
  const watch = (key: string, value: unknown): unknown => {
    prototypeKey ||= key === '__proto__';
    return value;
  };
  try {
    // A key may contain escapes, so these texts only decide whether to check each key.
    const value = /__proto__|\\u00/i.test(text) ? JSON.parse(text, watch) : JSON.parse(text);
    return prototypeKey ? { problem: 'prototype_key' } : { value };
  } catch {
    return { problem: 'not_json' };
  }
}
