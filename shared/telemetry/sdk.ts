import { basename, dirname, extname } from 'node:path';
import { type ContextManager, context, propagation, type TracerProvider, trace } from '@opentelemetry/api';
import { getBooleanFromEnv, getStringFromEnv } from '@opentelemetry/core';
import { settlesWithin } from '#shared/async/deadline.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './meter-provider.ts';
import { createJobPropagator } from './traces/job-propagator.ts';
import { createSpanScrubber } from './traces/scrub-span.ts';
import { spanCounts } from './traces/span-counts.ts';
import type { Recording, TraceRecorder, TraceSink } from './traces/trace-recorder.ts';

const hookedPackages = ['pg'];
const flushDeadlineMs = 1000;

let stopExporting: (() => Promise<void>) | null = null;
let recorder: TraceRecorder | null = null;
let collected: Metrics | null = null;
/** Null while export works or nothing was exported yet. */
let otlpError: string | null = null;
let otlpLog: Pick<Logger, 'info' | 'warn'> | null = null;

/**
 * Starts tracing from the standard `OTEL_*` variables. Spans are exported by OTLP if an endpoint is set, and written to
 * the trace store once it is attached, unless `TRACE_STORE` is `off`. With neither, nothing is recorded, but every
 * request and job still has a trace id. Landfall's own metrics are always collected, and exported by OTLP if an
 * endpoint is set. `OTEL_SDK_DISABLED=true` starts nothing.
 */
export async function startTelemetry(): Promise<void> {
  if (getBooleanFromEnv('OTEL_SDK_DISABLED')) return;
  const isStored = getStringFromEnv('TRACE_STORE')?.trim() !== 'off';
  const loading = import('./meter-provider.ts');
  if (hasEndpoint('TRACES')) await startExporting(isStored);
  else if (isStored) await startRecording();
  else await startIdsOnly();
  const { startMetrics } = await loading;
  // After the instrumentations, whose own metrics would have host names as attributes: clients could make up any
  // number.
  collected = await startMetrics({ serviceName: serviceNameOf(process.argv[1]), otlp: hasEndpoint('METRICS') });
}

/** All metrics in Prometheus's text format. Null: telemetry isn't loaded or is turned off. */
export function readMetrics(): Promise<string> | null {
  return collected?.readPrometheus() ?? null;
}

/**
 * Writes spans to the trace store from now on. Null: nothing is recorded, as telemetry isn't loaded or is turned off.
 */
export function attachTraceStore(sink: TraceSink): Recording | null {
  return recorder?.attach(sink) ?? null;
}

/** Logs once when OTLP export starts to fail and once when it works again. */
export function logOtlpState(log: Pick<Logger, 'info' | 'warn'>): void {
  otlpLog = log;
  if (otlpError !== null) onOtlpState(otlpError);
}

function onOtlpState(errorType: string | null): void {
  otlpError = errorType;
  if (errorType === null) otlpLog?.info({ spans: spanCounts() }, 'OTLP export works again');
  else otlpLog?.warn({ error_type: errorType, spans: spanCounts() }, 'OTLP export failed; dropping spans');
}

/** Flushes buffered spans and metrics and stops. Never rejects and never takes longer than a second. */
export async function shutdownTelemetry(): Promise<void> {
  const stops = [stopExporting, collected?.stop ?? null].filter((stop) => stop !== null);
  stopExporting = null;
  collected = null;
  if (stops.length === 0) return;
  await settlesWithin(Promise.allSettled(stops.map((stop) => stop())), flushDeadlineMs);
}

/** `services/api/main.ts` is `landfall-api`. Any other file is named after itself. */
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
    { createTraceIds },
    exporter,
  ] = await Promise.all([
    import('@opentelemetry/sdk-node'),
    import('./instrumentations.ts'),
    import('./watch-http-server.ts'),
    import('./traces/otlp-processor.ts'),
    import('./traces/env-sampler.ts'),
    import('./traces/trace-recorder.ts'),
    import('./traces/trace-ids.ts'),
    openExporter(),
  ]);
  recorder = isStored ? createTraceRecorder({ inner: samplerFromEnv(), service: null }) : null;
  const sdk = new NodeSDK({
    ...(isServiceNamed() ? {} : { serviceName: serviceNameOf(process.argv[1]) }),
    // The trace store comes first: both processors scrub spans, and only the store's one never waits.
    spanProcessors: [
      ...(recorder === null ? [] : [recorder.processor]),
      createOtlpProcessor(createSpanScrubber(exporter), { onState: onOtlpState }),
    ],
    ...(recorder === null ? {} : { sampler: recorder.sampler }),
    idGenerator: createTraceIds(),
    textMapPropagator: createJobPropagator(),
    instrumentations: createInstrumentations(),
    // Metrics have their own provider.
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  watchHttpServers();
  stopExporting = () => sdk.shutdown();
}

/** Records for the trace store alone, without the complete SDK, which takes half a second to load. */
async function startRecording(): Promise<void> {
  await hookPackages();
  const [
    { TracerProvider },
    { AsyncLocalStorageContextManager },
    { registerInstrumentations },
    { createInstrumentations },
    { watchHttpServers },
    { createTraceRecorder },
    { createTraceIds },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/instrumentation'),
    import('./instrumentations.ts'),
    import('./watch-http-server.ts'),
    import('./traces/trace-recorder.ts'),
    import('./traces/trace-ids.ts'),
  ]);
  recorder = createTraceRecorder({
    inner: null,
    service: getStringFromEnv('OTEL_SERVICE_NAME') ?? serviceNameOf(process.argv[1]),
  });
  const provider = new TracerProvider({
    sampler: recorder.sampler,
    spanProcessors: [recorder.processor],
    idGenerator: createTraceIds(),
  });
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

/** Loads only the package of the configured protocol: gRPC adds 100 ms to the start. */
async function openExporter() {
  const protocol =
    getStringFromEnv('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? getStringFromEnv('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol === 'grpc') return new (await import('@opentelemetry/exporter-trace-otlp-grpc')).OTLPTraceExporter();
  if (protocol === 'http/json')
    return new (await import('@opentelemetry/exporter-trace-otlp-http')).OTLPTraceExporter();
  return new (await import('@opentelemetry/exporter-trace-otlp-proto')).OTLPTraceExporter();
}

async function startIdsOnly(): Promise<void> {
  const [
    { TracerProvider, SamplingDecision },
    { AsyncLocalStorageContextManager },
    { watchHttpServers },
    { createTraceIds },
  ] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/context-async-hooks'),
    import('./watch-http-server.ts'),
    import('./traces/trace-ids.ts'),
  ]);
  const unrecorded = { shouldSample: () => ({ decision: SamplingDecision.NOT_RECORD }), toString: () => 'ids-only' };
  registerGlobally(
    new TracerProvider({ sampler: unrecorded, idGenerator: createTraceIds() }),
    new AsyncLocalStorageContextManager(),
  );
  watchHttpServers();
}

function registerGlobally(provider: TracerProvider, contextManager: ContextManager): void {
  context.setGlobalContextManager(contextManager.enable());
  propagation.setGlobalPropagator(createJobPropagator());
  trace.setGlobalTracerProvider(provider);
}
