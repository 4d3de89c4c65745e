/** What a text holds as JSON, or why it is not read. */
export type ReadJson = { value: unknown } | { problem: 'not_json' | 'prototype_key' };

/** Reads JSON that somebody sent. A key `__proto__`, at any depth, would be dropped without a word further on, so it is a problem of its own. */
export function readJson(text: string): ReadJson {
  let prototypeKey = false;
  const watch = (key: string, value: unknown): unknown => {
    prototypeKey ||= key === '__proto__';
    return value;
  };
  try {
    // A key may be spelt with escapes, so these texts are only the sign to look closer.
    const value = /__proto__|\\u00/i.test(text) ? JSON.parse(text, watch) : JSON.parse(text);
    return prototypeKey ? { problem: 'prototype_key' } : { value };
  } catch {
    return { problem: 'not_json' };
  }
}
