import type { FetchResult } from '#shared/domain/shipments/shipment.ts';
import type { Reading } from '#shared/domain/tracking/event.ts';
import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';
import type { CarrierContext, CarrierResponse, CarrierSettings, Connector } from './carrier.ts';
import { asFetchFailure, type FetchFailure, failedFetch, failureOfStatus } from './fetch-failure.ts';
import { carrierMessage } from './json-response.ts';

/** Deadline for all calls of one refresh together, including waits. */
const fetchDeadlineMs = 30_000;

/** The result of querying the carrier for one shipment. A failure concerns this shipment only. */
export type SubjectOutcome =
  /** `answerHash` identifies an identical response; see `hashAnswer`. */
  | { kind: 'found'; httpStatus: number; reading: Reading; answerHash?: string | null }
  | { kind: 'not_found'; httpStatus: number }
  /** Unchanged since the last reading: the carrier reports no change, or its response is identical. */
  | { kind: 'unchanged'; httpStatus: number }
  | { kind: 'failed'; failure: FetchFailure };

/** The record's data source: `ups`, `simulator:ups`, `dcsa:maersk`. */
export function sourceOf({ settings }: { settings: Pick<CarrierSettings, 'simulated'> }, name: string): string {
  return settings.simulated ? `simulator:${name}` : name;
}

/**
 * Queries for several shipments at once under one deadline. Each gets exactly one result: the one that `ask` returned,
 * or else the failure that `ask` threw. Never rejects.
 */
export async function guardedFetch<K extends string>(
  refresh: { keys: readonly K[]; source: string; signal: AbortSignal },
  ask: (signal: AbortSignal) => Promise<ReadonlyMap<K, SubjectOutcome>>,
): Promise<Map<K, FetchResult>> {
  const startedAt = performance.now();
  let answers: ReadonlyMap<K, SubjectOutcome> = new Map();
  let failure: FetchFailure | null = null;
  try {
    answers = await withinDeadline(refresh.signal, ask);
  } catch (error) {
    failure = asFetchFailure(error);
  }
  const context = { durationMs: Math.round(performance.now() - startedAt), source: refresh.source };
  return new Map(
    refresh.keys.map((key): [K, FetchResult] => {
      const answer = answers.get(key) ?? { kind: 'failed', failure: failure ?? asFetchFailure(new Error('no answer')) };
      if (answer.kind === 'failed') return [key, failedFetch(answer.failure, context)];
      if (answer.kind === 'unchanged')
        return [key, { outcome: 'unchanged', httpStatus: answer.httpStatus, ...context }];
      if (answer.kind === 'not_found') {
        return [
          key,
          { outcome: 'not_found', httpStatus: answer.httpStatus, reason: 'carrier_not_found_yet', ...context },
        ];
      }
      const { reading, httpStatus, answerHash } = answer;
      return [
        key,
        {
          outcome: 'found',
          reading,
          httpStatus,
          durationMs: context.durationMs,
          ...(answerHash ? { answerHash } : {}),
        },
      ];
    }),
  );
}

/** One shipment to refresh. `signal` ends all calls of its refresh. */
export type SubjectQuery = { subject: RefreshSubject; signal: AbortSignal; source: string };

/**
 * The `fetch` of a connector that queries one shipment per call. `name` is the connector's name in the record's source.
 */
export function fetchEach(
  name: string,
  ask: (ctx: CarrierContext, refresh: SubjectQuery) => Promise<SubjectOutcome>,
): Connector['fetch'] {
  return async (ctx, subjects, signal) => {
    const source = sourceOf(ctx, name);
    const refreshes = await Promise.all(
      subjects.map((subject) =>
        guardedFetch({ keys: [subject.shipmentId], source, signal }, async (whole) => {
          return new Map([[subject.shipmentId, await ask(ctx, { subject, signal: whole, source })]]);
        }),
      ),
    );
    return new Map(refreshes.flatMap((results) => [...results]));
  };
}

/** The failure for a status that the connector doesn't handle. */
export function unexpectedStatus(ctx: CarrierContext, response: CarrierResponse): Error {
  return failureOfStatus(response, { now: ctx.now(), carrierMessage: carrierMessage(response.text) });
}

/**
 * Equivalent to `AbortSignal.any` with a timeout, but leaves no timer or listener behind. There are thousands of
 * refreshes a second.
 */
async function withinDeadline<T>(outer: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const end = (): void => ending.abort(outer.reason);
  const timer = setTimeout(
    () => ending.abort(new DOMException('The refresh took too long.', 'TimeoutError')),
    fetchDeadlineMs,
  );
  outer.addEventListener('abort', end, { once: true });
  if (outer.aborted) end();
  try {
    return await ask(ending.signal);
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', end);
  }
}
