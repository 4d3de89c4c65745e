/** Every request ends. A read takes the API at most 5 s; a batch of 1,000 rows or a slow connection takes longer. */
export const deadlineMs = { read: 15_000, write: 60_000 } as const;

/** Aborts the work with a `TimeoutError` after `ms`, or with the reason of `signal`. */
export async function withinDeadline<T>(
  work: (signal: AbortSignal) => Promise<T>,
  { ms, signal }: { ms: number; signal?: AbortSignal | null | undefined },
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException('no response in time', 'TimeoutError')), ms);
  const joined = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
  try {
    return await work(joined);
  } finally {
    clearTimeout(timer);
  }
}
