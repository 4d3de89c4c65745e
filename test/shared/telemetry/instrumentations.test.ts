import { context, type Span, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { describe, expect, it } from 'vitest';
import { openAddressGuard } from '#shared/net/address-guard.ts';
import { openWebhookSender } from '#shared/net/webhook-sender.ts';
import { createInstrumentations, nameStatement } from '#shared/telemetry/instrumentations.ts';
import { openReceiver } from '#test/support/webhooks/receiver.ts';

const connection = { database: 'landfall', host: 'db', port: 5432, user: 'app' };

function named(text: string, name?: string) {
  const seen: { name: string | null; text: string | null } = { name: null, text: null };
  const span = {
    updateName: (to: string) => {
      seen.name = to;
    },
    setAttribute: (_of: string, value: string) => {
      seen.text = value;
    },
  } as unknown as Span;
  nameStatement(span, { connection, query: { text, name } } as never);
  return seen;
}

describe('nameStatement', () => {
  it.each([
    ['-- Insert a single job. Param: $1 (queue).\nSELECT add_job(\n  $1, $2\n) AS id;', 'SELECT add_job'],
    ['-- One.\n-- Two.\nSELECT id FROM add_jobs_bulk($1, $2::jsonb) AS t(id);\n', 'SELECT add_jobs_bulk'],
    ['-- One.\n\nSELECT job_id, delay\n  FROM add_job_scheduler($1);', 'SELECT add_job_scheduler'],
    ['-- Append.\nINSERT INTO job_log (queue) VALUES ($1)', 'INSERT job_log'],
    ['/* two\nlines */ delete from dedup where queue = $1', 'DELETE dedup'],
    ['-- a\nLISTEN jobs', 'LISTEN'],
    ['-- nothing else', 'comment'],
  ])('names %j after its verb and its subject', (text, name) => {
    for (const _turn of ['read', 'remembered']) expect(named(text).name).toBe(`pg.query:${name} landfall`);
    expect(named(text).text).not.toMatch(/^(?:--|\/\*|\s)/);
  });

  it('leaves named statements and statements without comments unchanged', () => {
    expect(named('-- why\nselect 1', 'claim-due').name).toBeNull();
    expect(named('select 1 -- why').name).toBeNull();
  });
});

describe('createInstrumentations', () => {
  it('makes no span of a post to a chat, whose address is its secret', async () => {
    const spans = new InMemorySpanExporter();
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const processor = new SimpleSpanProcessor({ exporter: spans });
    trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [processor] }));
    const unregister = registerInstrumentations({ instrumentations: createInstrumentations() });
    const guard = openAddressGuard({ allowHttp: false, allowedNetworks: [], loopbackInTests: true, proxied: false });
    const sender = openWebhookSender({ guard, proxyUrl: null, version: '1' });
    const receiver = await openReceiver();
    await trace.getTracer('test').startActiveSpan('around', async (around) => {
      await fetch(receiver.urlOf('seen'));
      const target = { url: receiver.urlOf('services/secret'), test: true, timeoutMs: 10_000 };
      await sender.send(target, { headers: { 'content-type': 'application/json' }, body: '{}' });
      around.end();
    });
    expect(receiver.received).toHaveLength(2);
    const reported = JSON.stringify(spans.getFinishedSpans().map(({ name, attributes }) => [name, attributes]));
    expect(reported).toContain('/seen');
    expect(reported).not.toContain('services');
    unregister();
    receiver.close();
    await sender.close();
  });
});
