import type { Instrumentation } from '@opentelemetry/instrumentation';
import { PgInstrumentation } from '@opentelemetry/instrumentation-pg';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { nameStatement } from './name-statement.ts';

/** What is watched besides the requests that come in. Redis is not: bullmq-otel names each queue operation, and a command's arguments would hold payloads. */
export function createInstrumentations(): Instrumentation[] {
  return [
    new PgInstrumentation({
      requireParentSpan: true,
      ignoreConnectSpans: true,
      enhancedDatabaseReporting: false,
      requestHook: nameStatement,
    }),
    new UndiciInstrumentation({ requireParentforSpans: true }),
  ];
}
