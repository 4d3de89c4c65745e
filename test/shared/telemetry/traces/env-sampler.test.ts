import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from '@opentelemetry/api';
import { SamplingDecision } from '@opentelemetry/sdk-trace';
import { afterEach, expect, it } from 'vitest';
import { samplerFromEnv } from '#shared/telemetry/traces/env-sampler.ts';

afterEach(() => {
  delete process.env.OTEL_TRACES_SAMPLER;
  delete process.env.OTEL_TRACES_SAMPLER_ARG;
});

const low = '0af7651916cd43dd0000000000000001';
const high = '0af7651916cd43ddfffffffffffffff0';

function isSampled(traceId: string, parentFlags: TraceFlags | null = null): boolean {
  const parent = { traceId, spanId: '00f067aa0ba902b7', traceFlags: parentFlags ?? TraceFlags.NONE, isRemote: true };
  const context = parentFlags === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
  return (
    samplerFromEnv().shouldSample(context, traceId, 'work', SpanKind.INTERNAL, {}, []).decision ===
    SamplingDecision.RECORD_AND_SAMPLED
  );
}

it.each([
  [undefined, undefined, [true, true, false]],
  ['always_on', undefined, [true, true, true]],
  ['always_off', undefined, [false, false, false]],
  ['parentbased_always_off', undefined, [false, false, false]],
  ['parentbased_always_on', undefined, [true, true, false]],
  ['something else', undefined, [true, true, true]],
])('OTEL_TRACES_SAMPLER=%s samples as the standard says', (name, arg, expected) => {
  if (name !== undefined) process.env.OTEL_TRACES_SAMPLER = name;
  if (arg !== undefined) process.env.OTEL_TRACES_SAMPLER_ARG = arg;
  expect([isSampled(low), isSampled(high), isSampled(low, TraceFlags.NONE)]).toEqual(expected);
});

it('samples the share of a ratio, and follows the parent if configured to', () => {
  process.env.OTEL_TRACES_SAMPLER = 'traceidratio';
  process.env.OTEL_TRACES_SAMPLER_ARG = '0';
  expect(isSampled(low)).toBe(false);
  process.env.OTEL_TRACES_SAMPLER_ARG = '1';
  expect(isSampled(high)).toBe(true);
  process.env.OTEL_TRACES_SAMPLER = 'parentbased_traceidratio';
  process.env.OTEL_TRACES_SAMPLER_ARG = '0';
  expect([isSampled(low), isSampled(low, TraceFlags.SAMPLED)]).toEqual([false, true]);
});
