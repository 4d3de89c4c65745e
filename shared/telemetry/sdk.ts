import { basename, dirname, extname } from 'node:path';
import { type ContextManager, context, propagation, type TracerProvider, trace } from '@opentelemetry/api';
import { getBooleanFromEnv, getStringFromEnv } from '@opentelemetry/core';
import { createJobPropagator } from './job-propagator.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './meter-provider.ts';
import { createSpanScrubber } from './scrub-span.ts';
import { spanCounts } from './span-counts.ts';
import type { TraceRecorder, TraceSink } from './trace-recorder.ts';

const hookedPackages = ['pg'];
const flushDeadlineMs = 1000;

let stopExporting: (() => Promise<void>) | null = null;
let recorder: TraceRecorder | null = null;
let collected: Metrics | null = null;
/** Null while the collector takes what is sent, or nothing was sent yet. */
let otlpError: string | null = null;
let otlpLog: Pick<Logger, 'info' | 'warn'> | null = null;

/**
 * Starts tracing from the standard `OTEL_*` variables: spans go out by OTLP when an endpoint is set. The trace store gets them besides
 * once it is attached, unless `TRACE_STORE` is `off`. With neither nothing is recorded, yet every request and job still has a trace id. Our own
 * metrics are collected in any case, and go out by OTLP when an endpoint is set. `OTEL_SDK_DISABLED=true` starts nothing.
 */
export async function startTelemetry(): Promise<void> {
  if (getBooleanFromEnv('OTEL_SDK_DISABLED')) return;
  const isStored = getStringFromEnv('TRACE_STORE')?.trim() !== 'off';
  const loading = import('./meter-provider.ts');
  if (hasEndpoint('TRACES')) await startExporting(isStored);
  else if (isStored) await startRecording();
  else await startIdsOnly();
  const { startMetrics } = await loading;
  // After the instrumentations: their metrics would have host names in them, of which clients make up as many as they like.
  collected = await startMetrics({ serviceName: serviceNameOf(process.argv[1]), otlp: hasEndpoint('METRICS') });
}

/** Every metric in Prometheus's text format; null where telemetry was not loaded or is turned off. */
export function readMetrics(): Promise<string> | null {
  return collected?.readPrometheus() ?? null;
}

/** Gives the trace store what is recorded from now on. Null where nothing is: telemetry was not loaded or is turned off. */
export function attachTraceStore(sink: TraceSink): { close: () => Promise<void> } | null {
  return recorder?.attach(sink) ?? null;
}

/** Says in this log, once each, that spans cannot be sent by OTLP and that they can again. */
export function tellOtlpState(log: Pick<Logger, 'info' | 'warn'>): void {
  otlpLog = log;
  if (otlpError !== null) onOtlpState(otlpError);
}

function onOtlpState(errorType: string | null): void {
  otlpError = errorType;
  if (errorType === null) otlpLog?.info({ spans: spanCounts() }, 'the collector takes spans again');
  else
    otlpLog?.warn(
      { error_type: errorType, spans: spanCounts() },
      'spans cannot be sent by OTLP: they are lost until they can, and nothing else',
    );
}

/** Flushes what is buffered and stops. Never rejects and never takes longer than a second. */
export async function shutdownTelemetry(): Promise<void> {
  const stops = [stopExporting, collected?.stop ?? null].filter((stop) => stop !== null);
  stopExporting = null;
  collected = null;
  if (stops.length === 0) return;
  const { promise: deadline, resolve: giveUp } = Promise.withResolvers<void>();
  const timer = setTimeout(giveUp, flushDeadlineMs);
  await Promise.race([Promise.allSettled(stops.map((stop) => stop())), deadline]);
  clearTimeout(timer);
}

/** `services/api/main.ts` is `landfall-api`; any other file is named after itself. */
export function serviceNameOf(entryFile: string | undefined): string {
  if (entryFile === undefined) return 'landfall';
  const file = basename(entryFile, extname(entryFile));
  const name = file === 'main' || file === 'index' ? basename(dirname(entryFile)) : file;
  return `landfall-${name}`;
}

function hasEndpoint(signal: 'TRACES' | 'METRICS'): boolean {
  if (getStringFromEnv(`OTEL_${signal}_EXPORTER`)?.trim() === 'none') return false;
  return ['OTEL_EXPORTER_OTLP_ENDPOINT', `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`].some(
    (name) => getStringFromEnv(name) !== undefined,
  );
}

async function startExporting(isStored: boolean): Promise<void> {
  await hookPackages();
  const [
    { NodeSDK },
    { createInstrumentations },
    { watchHttpServers },
    { createOtlpProcessor },
    { samplerFromEnv },
    { createTraceRecorder },
    exporter,
  ] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('./instrumentations.ts'),
    import('./watch-http-server.ts'),
    import('./otlp-processor.ts'),
    import('./env-sampler.ts'),
    import('./trace-recorder.ts'),
    openExporter(),
  ]);
  recorder = isStored ? createTraceRecorder({ inner: samplerFromEnv(), service: null }) : null;
  const sdk = new NodeSDK({
    ...(isServiceNamed() ? {} : { serviceName: serviceNameOf(process.argv[1]) }),
    // The store's first: both scrub, and only its own waits for nothing.
    spanProcessors: [
      ...(recorder === null ? [] : [recorder.processor]),
      createOtlpProcessor(createSpanScrubber(exporter), { onState: onOtlpState }),
    ],
    ...(recorder === null ? {} : { sampler: recorder.sampler }),
    textMapPropagator: createJobPropagator(),
    instrumentations: createInstrumentations(),
    // Metrics have a provider of their own.
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  watchHttpServers();
  stopExporting = () => sdk.shutdown();
}

/** For the trace store alone: without the whole SDK, which takes half a second to load. */
async function startRecording(): Promise<void> {
  await hookPackages();
  const [
    { TracerProvider },
    { AsyncLocalStorageContextManager },
    { registerInstrumentations },
    { createInstrumentations },
    { watchHttpServers },
    { createTraceRecorder },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/instrumentation'),
    import('./instrumentations.ts'),
    import('./watch-http-server.ts'),
    import('./trace-recorder.ts'),
  ]);
  recorder = createTraceRecorder({
    inner: null,
    service: getStringFromEnv('OTEL_SERVICE_NAME') ?? serviceNameOf(process.argv[1]),
  });
  const provider = new TracerProvider({ sampler: recorder.sampler, spanProcessors: [recorder.processor] });
  registerGlobally(provider, new AsyncLocalStorageContextManager());
  registerInstrumentations({ instrumentations: createInstrumentations() });
  watchHttpServers();
}

async function hookPackages(): Promise<void> {
  const { register, supportsSyncHooks } = await import('import-in-the-middle/register-hooks.mjs');
  if (supportsSyncHooks()) register({ include: hookedPackages });
}

function isServiceNamed(): boolean {
  return (
    getStringFromEnv('OTEL_SERVICE_NAME') !== undefined ||
    /(^|,)\s*service\.name=/.test(getStringFromEnv('OTEL_RESOURCE_ATTRIBUTES') ?? '')
  );
}

/** The protocol's own package is loaded alone: gRPC costs 100 ms of start that HTTP need not pay. */
async function openExporter() {
  const protocol =
    getStringFromEnv('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? getStringFromEnv('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol === 'grpc') return new (await import('@opentelemetry/exporter-trace-otlp-grpc')).OTLPTraceExporter();
  if (protocol === 'http/json')
    return new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter();
  return new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter();
}

async function startIdsOnly(): Promise<void> {
  const [{ TracerProvider, SamplingDecision }, { AsyncLocalStorageContextManager }, { watchHttpServers }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/context-async-hooks'),
      import('./watch-http-server.ts'),
    ]);
  const unrecorded = { shouldSample: () => ({ decision: SamplingDecision.NOT_RECORD }), toString: () => 'ids-only' };
  registerGlobally(new TracerProvider({ sampler: unrecorded }), new AsyncLocalStorageContextManager());
  watchHttpServers();
}

function registerGlobally(provider: TracerProvider, contextManager: ContextManager): void {
  context.setGlobalContextManager(contextManager.enable());
  propagation.setGlobalPropagator(createJobPropagator());
  trace.setGlobalTracerProvider(provider);
}
