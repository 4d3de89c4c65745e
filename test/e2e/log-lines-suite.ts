import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OtlpReceiver, openOtlpReceiver } from '#test/support/api/otlp-receiver.ts';
import { type Installation, openInstallation } from '#test/support/installation.ts';
import { until } from '#test/support/until.ts';

type Line = {
  msg: string;
  trace_id?: string;
  span_id?: string;
  status?: number;
  method?: string;
  request_id?: string;
  outcomes?: Record<string, number>;
};

const registered = 6;
const numbers = Array.from({ length: registered }, (_, n) => `MAEU98765400${n}`);

/** Log lines of requests and jobs, with real processes and a collector, on one queue backend. */
export function describeLogLines(backend: string, redisUrl: () => string | null): void {
  describe(`log lines, queue on ${backend}`, () => {
    let landfall: Installation;
    let receiver: OtlpReceiver;

    beforeAll(async () => {
      receiver = await openOtlpReceiver();
      landfall = await openInstallation({
        redisUrl: redisUrl(),
        env: { ...receiver.env, OTEL_BSP_SCHEDULE_DELAY: '200' },
      });
    });
    afterAll(async () => {
      await landfall?.close();
      await receiver?.close();
    });

    const linesOf = (output: string, msg: string): Line[] =>
      output
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Line)
        .filter((line) => line.msg === msg);

    it('writes one line per request in its own trace, even on a shared connection', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 2 });
      const sent = [
        ...numbers.map((number) => ({ method: 'POST', path: '/v1/shipments', body: registration(number) })),
        ...numbers.map(() => ({ method: 'GET', path: '/v1/shipments?q=secret-in-query', body: null })),
        { method: 'POST', path: '/v1/shipments', body: '{"broken' },
        { method: 'GET', path: '/v1/nothing-like-it', body: null },
      ];
      const answers = await Promise.all(sent.map((one) => ask(landfall, agent, one)));
      agent.destroy();
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(registered);
      const isOfTheseAnswers = ({ request_id: id }: Line) => answers.some(({ requestId }) => requestId === id);
      const lines = await until(
        async () => linesOf(landfall.api.output(), 'request').filter(isOfTheseAnswers),
        (found) => found.length >= answers.length,
      );
      expect(lines).toHaveLength(answers.length);
      for (const { requestId, traceId, status } of answers) {
        const own = lines.filter(({ request_id: id }) => id === requestId);
        expect(own).toMatchObject([{ status, trace_id: traceId, span_id: expect.stringMatching(/^[0-9a-f]{16}$/) }]);
        expect(await receiver.waitFor((span) => span.kind === 2 && span.traceId === traceId)).toMatchObject({
          spanId: own[0]?.span_id,
          attributes: { 'http.response.status_code': status },
        });
      }
    });

    it('writes one line per job in its own trace, and no secret or number in any line', async () => {
      const jobs = () => linesOf(landfall.worker?.output() ?? '', 'job');
      await until(
        async () => jobs().length,
        (count) => count >= registered * 3,
      );
      for (const { trace_id: traceId, span_id: spanId } of jobs()) {
        await receiver.waitFor(
          (span) => span.spanId === spanId && span.traceId === traceId && /^refresh-shipments?$/.test(span.name),
        );
      }
      const ofSeveral = receiver.spans.filter(({ name }) => name === 'refresh-shipments');
      expect(await landfall.worker?.stop()).toBe(0);
      const lines = jobs();
      expect(new Set(lines.map(({ span_id: id }) => id)).size).toBe(lines.length);
      for (const { spanId } of ofSeveral) expect(lines.filter(({ span_id: id }) => id === spanId)).toHaveLength(1);
      for (const line of lines) {
        expect(line).toMatchObject({
          span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
          duration_ms: expect.any(Number),
          outcomes: {},
        });
      }
      const everything = landfall.api.output() + (landfall.worker?.output() ?? '');
      for (const secret of [landfall.key, 'simulated-secret', 'simulated-key', 'secret-in-query', ...numbers]) {
        expect(everything).not.toContain(secret);
      }
    });
  });
}

function registration(number: string): string {
  return JSON.stringify({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: number } });
}

type Asked = { method: string; path: string; body: string | null };

async function ask({ api, key }: Installation, agent: Agent, { method, path, body }: Asked) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; traceId: string; requestId: string }>();
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  const sent = request(new URL(path, api.url), { method, agent, headers }, (answer) => {
    answer.resume().once('end', () =>
      resolve({
        status: answer.statusCode ?? 0,
        traceId: String(answer.headers['x-trace-id']),
        requestId: String(answer.headers['x-request-id']),
      }),
    );
  });
  sent.once('error', reject).end(body ?? undefined);
  return promise;
}
