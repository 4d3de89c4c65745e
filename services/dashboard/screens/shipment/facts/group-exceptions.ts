import type { WireException } from '../../../api/wire.ts';

/** The same trouble of several containers on one day as one, with how often it was told; in the order in which they came. */
export function groupExceptions(exceptions: readonly WireException[]): (WireException & { times: number })[] {
  const groups = new Map<string, WireException & { times: number }>();
  for (const exception of exceptions) {
    const { code, severity, message, opened_at: opened, resolved_at: resolved } = exception;
    const key = JSON.stringify([code, severity, message, opened.slice(0, 10), resolved?.slice(0, 10) ?? null]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ...exception, times: 1 });
    else group.times += 1;
  }
  return [...groups.values()];
}
