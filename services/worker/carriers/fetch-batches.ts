import type { RefreshSubject } from '#shared/domain/refresh/refresh.ts';
import { guardedFetch, type SubjectOutcome, sourceOf } from './call-carrier.ts';
import type { CarrierContext, Connector } from './carrier.ts';
import { asFetchFailure } from './fetch-failure.ts';

/** Common parts of a request for a batch of numbers. */
export type Asking = { source: string; signal: AbortSignal };

type Batching = {
  /** Different numbers per call. */
  size: number;
  /** The number as the carrier is sent it. Throws `FetchFailure` for one that would spoil the call: it fails alone. */
  numberOf: (subject: RefreshSubject) => string;
};

/**
 * The `fetch` of a connector that queries several tracking numbers per call. Shipments with the same number share it.
 * `ask` resolves to what each number's shipments get. `name` is the connector's name in the record's source.
 */
export function fetchBatches(
  name: string,
  { size, numberOf }: Batching,
  ask: (
    ctx: CarrierContext,
    numbers: readonly string[],
    asking: Asking,
  ) => Promise<(subject: RefreshSubject, number: string) => SubjectOutcome>,
): Connector['fetch'] {
  const askFor = async (ctx: CarrierContext, subjects: readonly RefreshSubject[], asking: Asking) => {
    const answers = new Map<string, SubjectOutcome>();
    const byNumber = new Map<string, RefreshSubject[]>();
    for (const subject of subjects) {
      try {
        const number = numberOf(subject);
        byNumber.set(number, [...(byNumber.get(number) ?? []), subject]);
      } catch (error) {
        answers.set(subject.shipmentId, { kind: 'failed', failure: asFetchFailure(error) });
      }
    }
    const outcomeOf = await ask(ctx, [...byNumber.keys()], asking);
    for (const [number, ofNumber] of byNumber)
      for (const subject of ofNumber) answers.set(subject.shipmentId, outcomeOf(subject, number));
    return answers;
  };
  return async (ctx, subjects, signal) => {
    const source = sourceOf(ctx, name);
    const results = await Promise.all(
      inBatches(subjects, size).map((batch) => {
        const keys = batch.map((subject) => subject.shipmentId);
        return guardedFetch({ keys, source, signal }, (whole) => askFor(ctx, batch, { source, signal: whole }));
      }),
    );
    return new Map(results.flatMap((result) => [...result]));
  };
}

function inBatches(subjects: readonly RefreshSubject[], size: number): RefreshSubject[][] {
  const groups = [...Map.groupBy(subjects, (subject) => subject.identifiers.tracking_number ?? '').values()];
  return Array.from({ length: Math.ceil(groups.length / size) }, (_, index) =>
    groups.slice(index * size, (index + 1) * size).flat(),
  );
}
