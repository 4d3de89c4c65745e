import { useSyncExternalStore } from 'react';

/** Duration of `--animate-changed`. */
const glowMs = 1000;

const changedAt = new Map<string, number>();
const listeners = new Set<() => void>();

/** Marks rows as changed: each glows once where it is shown. */
export function markChanged(ids: readonly string[]): void {
  if (ids.length === 0) return;
  const now = Date.now();
  for (const id of ids) changedAt.set(id, now);
  for (const listener of listeners) listener();
  setTimeout(() => {
    for (const id of ids) if (changedAt.get(id) === now) changedAt.delete(id);
    for (const listener of listeners) listener();
  }, glowMs);
}

/** When the row changed, for as long as it glows. */
export function useChangedAt(id: string): number | undefined {
  return useSyncExternalStore(subscribe, () => changedAt.get(id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
