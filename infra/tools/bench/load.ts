import { Pool } from 'undici';
import type { MeasuredServer } from './measure/measured-server.ts';
import type { Measurement } from './row.ts';

export type Load = {
  /** Requests in flight at any time, each on a connection of its own. */
  connections: number;
  seconds: number;
  /**
   * Continues after the time is up until this many requests are answered. A smaller sample says little and warms
   * nothing up.
   */
  atLeast: number;
  /** The n-th request. */
  request: (n: number) => { method: 'GET' | 'POST'; path: string; headers: Record<string, string>; body?: string };
  /** False for an answer that did not do the work. Errors would make a benchmark seem fast. */
  isGood: (status: number, body: string) => boolean;
  /** CPU time of PostgreSQL so far, in microseconds. Default: not measured. */
  databaseCpu?: () => number | null;
};

/**
 * Sends requests for the given time, or until the minimum count. Each connection sends its next request as soon as it
 * has an answer. Returns what the requests cost the server.
 */
export async function measureLoad(server: MeasuredServer, load: Load): Promise<Measurement> {
  const pool = new Pool(server.url, { connections: load.connections, pipelining: 1 });
  const latenciesMs: number[] = [];
  const before = await server.usage();
  const databaseBefore = load.databaseCpu?.() ?? null;
  const startedAt = performance.now();
  const endAt = startedAt + load.seconds * 1000;
  let sent = 0;
  const sendUntilEnd = async (): Promise<void> => {
    while (performance.now() < endAt || sent < load.atLeast) {
      const { method, path, headers, body } = load.request(sent++);
      const sentAt = performance.now();
      const answer = await pool.request({ method, path, headers, body: body ?? null });
      const text = await answer.body.text();
      if (!load.isGood(answer.statusCode, text))
        throw new Error(`unexpected answer to ${path}: ${answer.statusCode} ${text.slice(0, 500)}`);
      latenciesMs.push(performance.now() - sentAt);
    }
  };
  try {
    await Promise.all(Array.from({ length: load.connections }, sendUntilEnd));
    const elapsedS = (performance.now() - startedAt) / 1000;
    const after = await server.usage();
    const databaseAfter = load.databaseCpu?.() ?? null;
    latenciesMs.sort((left, right) => left - right);
    const quantile = (share: number) => latenciesMs[Math.floor((latenciesMs.length - 1) * share)] ?? 0;
    return {
      operationsPerS: latenciesMs.length / elapsedS,
      cpuPerOperationUs: (after.cpuUs - before.cpuUs) / latenciesMs.length,
      ...(databaseBefore === null || databaseAfter === null
        ? {}
        : { databaseCpuPerOperationUs: (databaseAfter - databaseBefore) / latenciesMs.length }),
      p50Ms: quantile(0.5),
      p99Ms: quantile(0.99),
      rssMb: after.rssBytes / 1_000_000,
    };
  } finally {
    await pool.destroy();
  }
}
