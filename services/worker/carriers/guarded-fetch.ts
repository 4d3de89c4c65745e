import type { FetchResult } from '#shared/domain/shipments/shipment.ts';
import type { Reading } from '#shared/domain/tracking/event.ts';
import type { CarrierSettings } from './carrier.ts';
import { asFetchFailure, type FetchFailure, failedFetch } from './fetch-failure.ts';

/** All calls of one refresh together, waiting included. */
const fetchDeadlineMs = 30_000;

/** What a carrier said of one shipment. A failure concerns this shipment alone. */
export type Answer =
  /** `answerHash`: what tells the same answer when it comes again, by `hashAnswer`. */
  | { kind: 'found'; httpStatus: number; reading: Reading; answerHash?: string | null }
  | { kind: 'not_found'; httpStatus: number }
  /** Nothing has changed since the last reading: the carrier says so, or its answer is known. */
  | { kind: 'unchanged'; httpStatus: number }
  | { kind: 'failed'; failure: FetchFailure };

/** Where the record says that its data comes from: `ups`, `simulator:ups`, `dcsa:maersk`. */
export function sourceOf({ settings }: { settings: Pick<CarrierSettings, 'simulated'> }, name: string): string {
  return settings.simulated ? `simulator:${name}` : name;
}

/**
 * Asks for several shipments at once under one deadline. Each gets exactly one result: what `ask` says of it, else the failure that `ask`
 * ended with. Never rejects.
 */
export async function guardedFetch<K extends string>(
  refresh: { keys: readonly K[]; source: string; signal: AbortSignal },
  ask: (signal: AbortSignal) => Promise<ReadonlyMap<K, Answer>>,
): Promise<Map<K, FetchResult>> {
  const startedAt = performance.now();
  let answers: ReadonlyMap<K, Answer> = new Map();
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

/** As `AbortSignal.any` with a timeout would, but with nothing that lives on when the refresh is over: there are thousands a second. */
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
