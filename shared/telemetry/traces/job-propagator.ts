import { type Context, createContextKey, type TextMapPropagator } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';

/** The queue marks its contexts with this key. No context that comes from or goes to another party has it. */
const jobCarrier = createContextKey('landfall.job-carrier');

/**
 * A W3C propagator for jobs only. A caller's `traceparent` never becomes a parent, since anyone could then join a
 * trace, and no carrier receives one.
 */
export function createJobPropagator(): TextMapPropagator {
  const w3c = new W3CTraceContextPropagator();
  const isForJob = (context: Context) => context.getValue(jobCarrier) === true;
  return {
    inject: (context, carrier, setter) => {
      if (isForJob(context)) w3c.inject(context, carrier, setter);
    },
    extract: (context, carrier, getter) => (isForJob(context) ? w3c.extract(context, carrier, getter) : context),
    fields: () => w3c.fields(),
  };
}
