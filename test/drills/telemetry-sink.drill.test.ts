import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { request } from '#test/support/api/http.ts';
import { openInstallation } from '#test/support/installation.ts';
import { until } from '#test/support/until.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const sentAtOnce = 16;

/** Registers and reads while the telemetry sinks are unavailable. */
async function workWith(otlpEndpoint: string) {
  const landfall = await openInstallation({
    redisUrl: null,
    withWorker: false,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_METRICS_EXPORTER: 'none',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_BSP_EXPORT_TIMEOUT: '500',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
      TRACE_STORE_SHARE: '1',
    },
  });
  cleanups.push(landfall.close);
  const { api, key } = landfall;
  // The log line may arrive after the ready message.
  const operations = await until(
    async () => /"operations":"(http:\/\/[^"]+)\/operations"/.exec(api.output())?.[1],
    (url) => url !== undefined,
  );
  const dropped = async (reason: string): Promise<number> => {
    const metrics = await (await fetch(`${operations}/metrics`)).text();
    const line = metrics
      .split('\n')
      .find((one) => one.startsWith('landfall_spans_dropped') && one.includes(`reason="${reason}"`));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  let number = 0;
  const registerAndRead = async (): Promise<number[]> => {
    const mbl = `MAEU8${String(number++).padStart(8, '0')}`;
    const body = { transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl } };
    const registered = await request(`${api.url}/v1/shipments`, { key, body });
    const read = await request(`${api.url}/v1/shipments/${registered.body.shipment_id}`, { key });
    return [registered.status, read.status];
  };
  const work = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      const answers = await Promise.all(Array.from({ length: sentAtOnce }, registerAndRead));
      expect(answers).toEqual(answers.map(() => [201, 200]));
    }
  };
  const said = (text: string): number => api.output().split(text).length - 1;
  return { landfall, registerAndRead, work, dropped, said };
}

it('serves requests and counts lost spans while the spans table is locked and the collector refuses', async () => {
  const { landfall, registerAndRead, work, dropped, said } = await workWith('http://127.0.0.1:1');
  const locker = new pg.Client({ connectionString: landfall.core.databaseUrl });
  // Only a failing test leaves it open when its database is dropped.
  locker.on('error', () => undefined);
  await locker.connect();
  await locker.query('begin; lock table landfall.spans, landfall.trace_parts in access exclusive mode');
  await work(10);
  await until(
    () => dropped('write_failed'),
    (count) => count > 0,
  );
  await until(
    () => dropped('otlp_failed'),
    (count) => count > 0,
  );
  await work(10);
  await locker.query('rollback');
  await locker.end();
  // Spans may be lost again while the machine is busy.
  await until(
    async () => {
      expect(await registerAndRead()).toEqual([201, 200]);
      return said('trace store available again');
    },
    (count) => count > 0,
  );
  expect(said('trace store unavailable')).toBe(1);
  expect(said('OTLP export failed')).toBe(1);
});

it('serves requests and counts lost spans while the collector never responds', async () => {
  const blackHole = createServer((socket) => socket.on('error', () => undefined).resume());
  blackHole.listen(0, '127.0.0.1');
  await once(blackHole, 'listening');
  cleanups.push(() => blackHole.close());
  const { work, dropped, said } = await workWith(`http://127.0.0.1:${(blackHole.address() as AddressInfo).port}`);
  await work(10);
  await until(
    () => dropped('otlp_failed'),
    (count) => count > 0,
  );
  await work(10);
  expect(said('OTLP export failed')).toBe(1);
  expect(said('trace store unavailable')).toBe(0);
});
