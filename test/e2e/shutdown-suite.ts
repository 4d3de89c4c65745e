import { EventEmitter, once } from 'node:events';
import {
  Agent,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '#test/support/api/http.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { until } from '#test/support/until.ts';

/** SIGTERM while work is in hand, on one queue backend. Exit code 0 means that the shutdown deadline was kept. */
export function describeShutdown(backend: string, redisUrl: () => string | null): void {
  describe(`SIGTERM during work, queue on ${backend}`, () => {
    let landfall: Installation;
    let carrier: SlowCarrier;

    beforeAll(async () => {
      carrier = await openSlowCarrier();
      landfall = await openInstallation({
        redisUrl: redisUrl(),
        withWorker: false,
        env: ({ accountId }) => ({
          CARRIER_DCSA_BASE_URL: carrier.url,
          CARRIER_DCSA_API_KEY: 'slow',
          CARRIER_DCSA_ACCOUNTS: accountId,
          // One refresh per shipment.
          CADENCE_SCALE: '1',
        }),
      });
    });

    afterAll(async () => {
      await landfall?.close();
      await carrier?.close();
    });

    it('lets a worker wait for a slow carrier and record the refresh before it ends', async () => {
      const worker = await landfall.startWorker();
      const shipmentId = await register('PCIU70000013');
      await carrier.asked('70000013');
      const ended = worker.stop();
      await until(
        () => statusOf(`${worker.url}/readyz`),
        (status) => status === 503,
      );
      carrier.answer('70000013');
      expect(await ended).toBe(0);
      const refreshes = await request(`${landfall.api.url}/v1/shipments/${shipmentId}/refreshes`, {
        key: landfall.key,
      });
      expect(refreshes.body.data).toHaveLength(1);
    });

    it('ends a worker whose carrier never responds, and another worker refreshes again', async () => {
      let number = 70_000_014;
      const end = async () => {
        number += 100;
        // It waits for the carrier until shortly before this deadline, which leaves little time to close on a busy machine.
        const worker = await landfall.startWorker({ SHUTDOWN_TIMEOUT_MS: '6000' });
        await register(`PCIU${number}`);
        await carrier.asked(String(number));
        return worker.stop();
      };
      await until(end, (code) => code === 0);

      // The lease expires.
      await landfall.core.store.system.query(
        `update landfall.polling set lease_until = now() - interval '1 second', next_refresh_at = now()
         where shipment_id = $1`,
        [(await stored(`PCIU${number}`)).id],
      );
      const next = await landfall.startWorker();
      await carrier.asked(String(number));
      carrier.answer(String(number));
      await until(
        () => stored(`PCIU${number}`),
        ({ refreshes }) => refreshes > 0,
      );
      await next.kill();
    });

    it('lets the API answer the running request, close idle connections and end', async () => {
      const agent = new Agent({ keepAlive: true });
      const idle = httpRequest(`${landfall.api.url}/livez`, { agent }).end();
      const [answer] = (await once(idle, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');

      const blocker = new pg.Client({ connectionString: landfall.core.databaseUrl });
      await blocker.connect();
      await blocker.query('begin');
      await blocker.query('lock table landfall.shipments in access exclusive mode');
      const registering = register('PCIU70000015');
      await until(
        () =>
          blocker.query(
            `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database() and application_name = 'landfall-api'`,
          ),
        ({ rowCount }) => (rowCount ?? 0) > 0,
      );
      const ended = landfall.api.stop();
      await until(
        () => statusOf(`${landfall.api.url}/livez`),
        (status) => status === null,
      );
      await blocker.query('rollback');
      await registering;
      expect(await ended).toBe(0);
      expect((await stored('PCIU70000015')).id).toBeTruthy();
      await blocker.end();
      agent.destroy();
    });

    async function register(mbl: string): Promise<string> {
      const body = { transport_mode: 'ocean', carrier: 'PCIU', identifiers: { mbl }, reference: mbl };
      const answer = await request(`${landfall.api.url}/v1/shipments`, { key: landfall.key, body });
      expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
      return answer.body.shipment_id;
    }

    async function stored(reference: string): Promise<{ id: string; refreshes: number }> {
      const { rows } = await landfall.core.store.system.query<{ id: string; refreshes: number }>(
        `select s.id, (
            select count(*) from landfall.refreshes as r where r.shipment_id = s.id and r.outcome <> 'error'
          ) as refreshes
          from landfall.shipments as s where s.reference = $1`,
        [reference],
      );
      if (rows[0] === undefined) throw new Error(`${reference} was acknowledged and is not stored`);
      return rows[0];
    }
  });
}

async function statusOf(url: string): Promise<number | null> {
  return fetch(url).then(
    ({ status }) => status,
    () => null,
  );
}

type SlowCarrier = {
  url: string;
  /** Resolves when a request about the number waits for its answer. */
  asked: (number: string) => Promise<void>;
  /** Answers waiting and later requests about the number: nothing is known. */
  answer: (number: string) => void;
  close: () => Promise<void>;
};

/** A carrier that answers when the test says so. A refresh may send several requests. */
async function openSlowCarrier(): Promise<SlowCarrier> {
  let waiting: { url: string; response: ServerResponse }[] = [];
  const answered: string[] = [];
  const arrivals = new EventEmitter();
  const about = (number: string) => (question: { url: string }) => question.url.includes(number);
  const answerNothing = (response: ServerResponse) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
  const server: Server = createServer(({ url = '' }, response) => {
    if (answered.some((number) => url.includes(number))) {
      answerNothing(response);
      return;
    }
    const question = { url, response };
    waiting.push(question);
    response.once('close', () => {
      waiting = waiting.filter((other) => other !== question);
    });
    arrivals.emit('question');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: async (number) => {
      while (!waiting.some(about(number))) await once(arrivals, 'question');
    },
    answer: (number) => {
      answered.push(number);
      for (const { response } of waiting.filter(about(number))) answerNothing(response);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
