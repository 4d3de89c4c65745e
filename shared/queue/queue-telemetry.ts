import type { Telemetry } from 'bullmq';
import { BullMQOtel } from 'bullmq-otel';

/** Idle loops. Their spans carry no information, but would be most of the exported ones. */
const idleOperations = /^(getNextJob|moveStalledJobsToWait|startStalledCheckTimer|extendLocks|rateLimit|delay)\b/;

/** The propagator in shared/telemetry reads a job's trace context only if the context is marked with this key. */
const jobCarrier = Symbol.for('landfall.job-carrier');
const otelError = 2;

type Tracer = Telemetry['tracer'];
type QueueSpan = ReturnType<Tracer['startSpan']>;
type MarkableContext = {
  setValue(key: symbol, value: unknown): MarkableContext;
  deleteValue(key: symbol): MarkableContext;
};

/**
 * Wraps bullmq-otel and leaves out idle loops and error messages, which may quote a carrier. Long-lived loops start in
 * the context that is active now, so open queues outside any span.
 */
export function createQueueTelemetry(enabled: boolean): Telemetry | null {
  if (!enabled) return null;
  const otel: Telemetry = new BullMQOtel({ tracerName: 'landfall' });
  const inner = otel.contextManager;
  const detached = inner.active();
  return {
    tracer: {
      startSpan: (name, options, context) =>
        idleOperations.test(name) ? silentSpan : discreetSpan(otel.tracer.startSpan(name, options, context)),
    },
    contextManager: {
      with: (context, work) => inner.with(context, work),
      active: () => inner.active(),
      root: () => detached,
      getMetadata: (context: MarkableContext) => inner.getMetadata(context.setValue(jobCarrier, true)),
      fromMetadata: (active: MarkableContext, metadata) =>
        inner.fromMetadata(active.setValue(jobCarrier, true), metadata).deleteValue(jobCarrier),
    },
  };
}

const silentSpan: QueueSpan = {
  setSpanOnContext: (context) => context,
  setAttribute: () => undefined,
  setAttributes: () => undefined,
  addEvent: () => undefined,
  recordException: () => undefined,
  end: () => undefined,
};

function discreetSpan(span: QueueSpan): QueueSpan {
  span.setAttribute('messaging.system', 'bullmq');
  return {
    setSpanOnContext: (context) => span.setSpanOnContext(context),
    setAttribute: (name, value) => span.setAttribute(name, value),
    setAttributes: (attributes) => span.setAttributes(withoutReasons(attributes)),
    addEvent: (name, attributes) =>
      span.addEvent(name, attributes === undefined ? undefined : withoutReasons(attributes)),
    recordException: (exception) => markFailed(span, exception),
    end: () => span.end(),
  };
}

/** These attributes quote an error, a handler's result or the connection's options. */
function withoutReasons<T extends Record<string, unknown>>(attributes: T): T {
  const kept = Object.entries(attributes).filter(([name]) => !/reason|result|stack|options/i.test(name));
  return Object.fromEntries(kept) as T;
}

function markFailed(span: QueueSpan, exception: unknown): void {
  span.setAttribute('error.type', errorType(exception));
  if ('span' in span) setErrorStatus(span.span);
}

function setErrorStatus(span: unknown): void {
  if (typeof span === 'object' && span !== null && 'setStatus' in span && typeof span.setStatus === 'function')
    span.setStatus({ code: otelError });
}

function errorType(exception: unknown): string {
  if (typeof exception !== 'object' || exception === null) return typeof exception;
  if ('code' in exception && typeof exception.code === 'string') return exception.code;
  return 'name' in exception && typeof exception.name === 'string' ? exception.name : 'Error';
}
