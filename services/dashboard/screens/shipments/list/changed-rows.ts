import { useSyncExternalStore } from 'react';

/** As long as `--animate-changed` glows. */
const glowMs = 1000;

const changedAt = new Map<string, number>();
const listeners = new Set<() => void>();

/** These rows changed just now: each glows once where it is shown. */
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

/** When the row changed, while it glows for it. */
export function useChangedAt(id: string): number | undefined {
  return useSyncExternalStore(subscribe, () => changedAt.get(id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
