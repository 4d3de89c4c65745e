import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { patienceMs } from '#test/support/until.ts';

export type ReceivedSpan = {
  service: string;
  scope: string;
  name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  /** 0 unset, 1 ok, 2 error. */
  status: number;
};

export type OtlpReceiver = {
  /** Environment of a process that exports to this receiver. */
  env: Record<string, string>;
  spans: readonly ReceivedSpan[];
  /** The raw body of every request, to search it for secrets. */
  bodies: readonly string[];
  /** Resolves with the first matching span, received already or later. */
  waitFor(fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
  close(): Promise<void>;
};

const keyValues = z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })).default([]);
const exportRequest = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: keyValues }),
      scopeSpans: z.array(
        z.object({
          scope: z.object({ name: z.string() }),
          spans: z.array(
            z.object({
              name: z.string(),
              kind: z.number(),
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              attributes: keyValues,
              links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
              status: z.object({ code: z.number().default(0) }).default({ code: 0 }),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** An OTLP/HTTP endpoint (JSON) that keeps the spans it receives. */
export async function openOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const arrivals = new EventEmitter();
  arrivals.setMaxListeners(0);
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      bodies.push(body);
      if (request.url?.endsWith('/v1/traces')) spans.push(...spansOf(body));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      arrivals.emit('spans');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const waitFor = async (fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> => {
    const deadline = AbortSignal.timeout(patienceMs);
    for (;;) {
      const found = spans.find(fits);
      if (found !== undefined) return found;
      await once(arrivals, 'spans', { signal: deadline }).catch(() => {
        throw new Error(
          `no such span within ${patienceMs} ms; received: ${spans.map((span) => span.name).join(', ') || 'none'}`,
        );
      });
    }
  };
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  };
  return { env, spans, bodies, waitFor, close };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function spansOf(body: string): ReceivedSpan[] {
  const { resourceSpans } = exportRequest.parse(JSON.parse(body));
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(flatten(resource.attributes)['service.name'] ?? '');
    return scopeSpans.flatMap(({ scope, spans }) =>
      spans.map((span) => ({
        service,
        scope: scope.name,
        name: span.name,
        kind: span.kind,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || null,
        attributes: flatten(span.attributes),
        links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
        status: span.status.code,
      })),
    );
  });
}

function flatten(attributes: z.infer<typeof keyValues>): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
