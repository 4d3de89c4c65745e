import type { Instrumentation } from '@opentelemetry/instrumentation';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { createHttpInstrumentation } from './http-instrumentation.ts';

/** What is watched. Redis is not: bullmq-otel names each queue operation, and a command's arguments would hold payloads. */
export function createInstrumentations(): Instrumentation[] {
  return [
    createHttpInstrumentation(),
    new PgInstrumentation({ requireParentSpan: true, ignoreConnectSpans: true, enhancedDatabaseReporting: false }),
    new UndiciInstrumentation({ requireParentforSpans: true }),
  ];
}
