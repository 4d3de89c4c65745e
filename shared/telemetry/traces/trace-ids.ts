import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace';
import { timedTraceId } from '#shared/domain/installation/trace.ts';

/** Random ids. Those of traces start with the time, so that an id that is not stored still shows its age. */
export function createTraceIds(): IdGenerator {
  const random = new RandomIdGenerator();
  return {
    generateTraceId: () => timedTraceId(random.generateTraceId(), Date.now()),
    generateSpanId: () => random.generateSpanId(),
  };
}
