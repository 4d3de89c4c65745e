import type { Reading } from '#shared/domain/event.ts';
import type { LookResult } from '#shared/domain/shipment.ts';
import type { CarrierSettings } from './carrier.ts';
import { asLookFailure, failedLook, type LookFailure } from './look-failure.ts';

/** All calls of one look together, waiting included. */
const lookDeadlineMs = 30_000;

/** What a carrier said of one shipment. A failure concerns this shipment alone. */
export type Answer =
  | { kind: 'found'; httpStatus: number; reading: Reading }
  | { kind: 'not_found'; httpStatus: number }
  /** Nothing has changed since the last reading, which the carrier did not show again. */
  | { kind: 'unchanged'; httpStatus: number }
  | { kind: 'failed'; failure: LookFailure };

/** Where the record says that its data comes from: `ups`, `simulator:ups`, `dcsa:maersk`. */
export function sourceOf({ settings }: { settings: Pick<CarrierSettings, 'simulated'> }, name: string): string {
  return settings.simulated ? `simulator:${name}` : name;
}

/**
 * Asks for several shipments at once under one deadline. Each gets exactly one result: what `ask` says of it, else the failure that `ask`
 * ended with. Never rejects.
 */
export async function guardedLook<K extends string>(
  look: { keys: readonly K[]; source: string; signal: AbortSignal },
  ask: (signal: AbortSignal) => Promise<ReadonlyMap<K, Answer>>,
): Promise<Map<K, LookResult>> {
  const startedAt = performance.now();
  const signal = AbortSignal.any([look.signal, AbortSignal.timeout(lookDeadlineMs)]);
  let answers: ReadonlyMap<K, Answer> = new Map();
  let failure: LookFailure | null = null;
  try {
    answers = await ask(signal);
  } catch (error) {
    failure = asLookFailure(error);
  }
  const context = { durationMs: Math.round(performance.now() - startedAt), source: look.source };
  return new Map(
    look.keys.map((key): [K, LookResult] => {
      const answer = answers.get(key) ?? { kind: 'failed', failure: failure ?? asLookFailure(new Error('no answer')) };
      if (answer.kind === 'failed') return [key, failedLook(answer.failure, context)];
      if (answer.kind === 'unchanged') return [key, { outcome: 'unchanged', httpStatus: answer.httpStatus, ...context }];
      if (answer.kind === 'not_found') {
        return [key, { outcome: 'not_found', httpStatus: answer.httpStatus, reason: 'carrier_not_found_yet', ...context }];
      }
      return [key, { outcome: 'found', reading: answer.reading, httpStatus: answer.httpStatus, durationMs: context.durationMs }];
    }),
  );
}
