import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setCarrierCredentials } from '#shared/core/carriers/set-carrier-credentials.ts';
import { readProof } from '#shared/core/record/read-proof.ts';
import type { TracePart } from '#shared/domain/installation/trace.ts';
import { currentTraceId, inSpan } from '#shared/telemetry/events.ts';
import { createTraceRecorder } from '#shared/telemetry/traces/trace-recorder.ts';
import { startAnsweringWorker } from '#test/support/carriers/answering-worker.ts';
import { deliverParcel } from '#test/support/carriers/delivered-parcel.ts';
import { documentCredentials, startDocumentCarrier, upsDocument } from '#test/support/carriers/document-carrier.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';
import { ownDatabase } from '#test/support/stores/postgres.ts';
import { patienceMs } from '#test/support/until.ts';

const number = '1Z999AA1TRACED0001';
const png = Buffer.from('89504e470d0a1a0a', 'hex');
const recorder = createTraceRecorder({ inner: null, service: 'landfall-worker' });
const provider = new TracerProvider({ sampler: recorder.sampler, spanProcessors: [recorder.processor] });
const parts: TracePart[] = [];
let core: TestCore;
let carrier: Awaited<ReturnType<typeof startDocumentCarrier>>;
let worker: Awaited<ReturnType<typeof startAnsweringWorker>>;

beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(provider);
  registerInstrumentations({ instrumentations: [new UndiciInstrumentation({ requireParentforSpans: true })] });
  core = await openTestCore({}, ownDatabase);
  carrier = await startDocumentCarrier((_asked, response) =>
    response.end(upsDocument(number, { signature: { image: png.toString('base64') }, receivedBy: 'MISS MARPLE' })),
  );
  worker = await startAnsweringWorker(core.serviceUrl, carrier.addresses);
});
afterAll(async () => {
  carrier?.close();
  await core.close();
});

it('is one trace from the request to the carrier, without data of the shipment', async () => {
  const caller = await core.newCaller();
  await setCarrierCredentials(core.ctx, caller, { carrier: 'ups', values: { ...documentCredentials.ups } });
  const { shipmentId } = await deliverParcel(core.ctx, caller.accountId, { number });
  const recording = recorder.attach({
    share: 1,
    slowMs: 60_000,
    limits: { closeMs: patienceMs },
    log: { info: () => undefined, warn: () => undefined } as never,
    write: async (batch) => void parts.push(...batch),
  });
  const input = { shipmentId, proofId: 'signature' };
  // The worker's span ends after it has answered, with the worker at the latest.
  const traceId = await inSpan('GET proof', { root: true, kind: 'server' }, async () => {
    await readProof(core.ctx, caller, input, { waitMs: patienceMs });
    return currentTraceId();
  }).finally(() => worker.close());
  await recording.close();
  const spans = parts.filter((part) => part.traceId === traceId).flatMap((part) => part.spans);
  expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['GET proof', 'answer-question', 'GET']));
  const answering = spans.find(({ name }) => name === 'answer-question');
  expect(answering).toMatchObject({
    kind: 'consumer',
    attributes: { 'account.id': caller.accountId, 'question.kind': 'proof', 'carrier.code': 'ups' },
  });
  for (const secret of [number, 'MISS MARPLE', 'the secret', png.toString('base64')])
    expect(JSON.stringify(parts)).not.toContain(secret);
});
