import { until } from '#test/support/until.ts';

/** Waits until `/readyz` of one of these services is 503 with this reason. Returns the time in milliseconds. */
export async function untilReadiness(urls: readonly string[], reason: RegExp): Promise<number> {
  const startedAt = performance.now();
  await until(
    () => Promise.all(urls.map(readinessOf)),
    (all) => all.some((text) => reason.test(text)),
  );
  return Math.round(performance.now() - startedAt);
}

/** Status and body. Without an answer, the reason. */
function readinessOf(url: string): Promise<string> {
  return fetch(`${url}/readyz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(5000) }).then(
    async (response) => `${response.status} ${await response.text()}`,
    String,
  );
}
