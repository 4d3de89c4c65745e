import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const read = new Map<string, { text: string | null; value: unknown }>();

/** A value kept in this browser, read as `parse` makes it of what was stored: null, or whatever an older version wrote. */
export function useStored<Value>(place: string, parse: (stored: unknown) => Value): [Value, (value: Value) => void] {
  const value = useSyncExternalStore(subscribe, () => readStored(place, parse));
  return [value, (next) => store(place, next)];
}

function readStored<Value>(place: string, parse: (stored: unknown) => Value): Value {
  let text: string | null = null;
  try {
    text = localStorage.getItem(place);
  } catch {
    // Storage may be switched off; then what is chosen lasts as long as the page.
    text = read.get(place)?.text ?? null;
  }
  const known = read.get(place);
  // The same object while nothing changed, as React compares by identity.
  if (known !== undefined && known.text === text) return known.value as Value;
  const value = parse(parseJson(text));
  read.set(place, { text, value });
  return value;
}

function store(place: string, value: unknown): void {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(place, text);
  } catch {
    read.set(place, { text, value });
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
