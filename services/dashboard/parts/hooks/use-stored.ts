import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const read = new Map<string, { text: string | null; value: unknown }>();

/** A value in local storage. `parse` validates what is stored: null, or a value of an older version. */
export function useStored<Value>(key: string, parse: (stored: unknown) => Value): [Value, (value: Value) => void] {
  const value = useSyncExternalStore(subscribe, () => readStored(key, parse));
  return [value, (next) => store(key, next)];
}

function readStored<Value>(key: string, parse: (stored: unknown) => Value): Value {
  let text: string | null = null;
  try {
    text = localStorage.getItem(key);
  } catch {
    // Storage can be disabled. The value then lasts as long as the page.
    text = read.get(key)?.text ?? null;
  }
  const known = read.get(key);
  // The same object while nothing changed: React compares by identity.
  if (known !== undefined && known.text === text) return known.value as Value;
  const value = parse(parseJson(text));
  read.set(key, { text, value });
  return value;
}

function store(key: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
  } catch {
    read.set(key, { text, value });
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function parseJson(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
