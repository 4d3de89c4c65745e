import { expect, it } from 'vitest';
import { z } from 'zod';
import { yamlFile } from '#test/support/repository.ts';

const duration = z.string().regex(/^\d+(ms|s|m)$/);
const address = z.string().regex(/^[\w.]+:\d+$/);
const count = z.int().positive();
const policyName = z.string().min(1);

// The settings of each component that are used here, and nothing else: a misspelled key stops the collector at startup.
const configuration = z.strictObject({
  extensions: z.strictObject({ health_check: z.strictObject({ endpoint: address }) }),
  receivers: z.strictObject({
    otlp: z.strictObject({
      protocols: z.strictObject({
        grpc: z.strictObject({ endpoint: address }),
        http: z.strictObject({ endpoint: address }),
      }),
    }),
  }),
  processors: z.strictObject({
    memory_limiter: z.strictObject({ check_interval: duration, limit_mib: count, spike_limit_mib: count }),
    tail_sampling: z.strictObject({
      decision_wait: duration,
      num_traces: count,
      decision_cache: z.strictObject({ sampled_cache_size: count, non_sampled_cache_size: count }),
      policies: z.array(
        z.discriminatedUnion('type', [
          z.strictObject({
            name: policyName,
            type: z.literal('status_code'),
            status_code: z.strictObject({ status_codes: z.array(z.enum(['ERROR', 'OK', 'UNSET'])) }),
          }),
          z.strictObject({
            name: policyName,
            type: z.literal('latency'),
            latency: z.strictObject({ threshold_ms: count }),
          }),
          z.strictObject({
            name: policyName,
            type: z.literal('numeric_attribute'),
            numeric_attribute: z.strictObject({ key: z.string(), min_value: count, max_value: count }),
          }),
          z.strictObject({
            name: policyName,
            type: z.literal('probabilistic'),
            probabilistic: z.strictObject({ sampling_percentage: z.number().gt(0).lte(100) }),
          }),
        ]),
      ),
    }),
    batch: z.strictObject({ timeout: duration, send_batch_size: count, send_batch_max_size: count }),
  }),
  exporters: z.strictObject({
    otlp_http: z.strictObject({
      endpoint: z.url(),
      compression: z.enum(['gzip', 'zstd', 'none']),
      retry_on_failure: z.strictObject({ max_elapsed_time: duration }),
      sending_queue: z.strictObject({ queue_size: count }),
    }),
  }),
  service: z.strictObject({
    extensions: z.array(z.string()),
    pipelines: z.record(
      z.string(),
      z.strictObject({
        receivers: z.array(z.string()),
        processors: z.array(z.string()),
        exporters: z.array(z.string()),
      }),
    ),
  }),
});

const collector = configuration.parse(yamlFile('infra/deploy/otel/collector.yaml'));

it('defines every component that a pipeline names and uses every component that it defines', () => {
  const pipelines = Object.values(collector.service.pipelines);
  for (const kind of ['receivers', 'processors', 'exporters'] as const) {
    const used = new Set(pipelines.flatMap((pipeline) => pipeline[kind]));
    expect([...used].toSorted()).toEqual(Object.keys(collector[kind]).toSorted());
  }
  expect(collector.service.extensions).toEqual(Object.keys(collector.extensions));
});

it('limits memory first and batches last in every pipeline', () => {
  for (const [name, { processors }] of Object.entries(collector.service.pipelines)) {
    expect(processors[0], name).toBe('memory_limiter');
    expect(processors.at(-1), name).toBe('batch');
  }
  const { memory_limiter: limiter } = collector.processors;
  expect(limiter.spike_limit_mib).toBeLessThan(limiter.limit_mib);
});

it('keeps all errors, slow traces and 429s, and a share of the rest', () => {
  const { policies } = collector.processors.tail_sampling;
  expect(policies.map(({ type }) => type)).toEqual(['status_code', 'latency', 'numeric_attribute', 'probabilistic']);
  expect(new Set(policies.map(({ name }) => name)).size).toBe(policies.length);
});

it('gives the container more memory than the collector limits itself to', () => {
  const { services } = yamlFile<{ services: { collector: { mem_limit: string } } }>('docker-compose.yml');
  expect(Number.parseInt(services.collector.mem_limit, 10)).toBeGreaterThan(
    collector.processors.memory_limiter.limit_mib,
  );
});
