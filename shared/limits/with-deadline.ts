/** Rejects when the store has not answered in time; its answer is then nobody's. `store`: what it keeps, for the message. */
export function withDeadline<T>(promise: Promise<T>, timeoutMs: number, store: string): Promise<T> {
  const { promise: expired, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`the store of ${store} did not answer within ${timeoutMs} ms`)),
    timeoutMs,
  );
  return Promise.race([promise, expired]).finally(() => clearTimeout(timer));
}
