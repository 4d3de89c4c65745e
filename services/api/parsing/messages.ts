import { LandfallError, type LandfallErrorOptions } from '#shared/domain/errors.ts';
import type { ParserName } from './parsers.ts';

/**
 * To a parsing thread. It reads one file at a time, and passes on a part for each `more`. `passed`: what an earlier
 * reading of the same file passed on, in units of its parser.
 */
export type ToThread =
  | { kind: 'read'; parser: ParserName; input: unknown; passed: number }
  | { kind: 'more' }
  | { kind: 'stop' };

/** From a parsing thread. The last message about a file is `end`, `failed`, or `stopped` as an answer to `stop`. */
export type FromThread =
  | { kind: 'part'; part: unknown; units: number }
  | { kind: 'held'; bytes: number }
  | { kind: 'stopped' }
  | { kind: 'end' }
  | { kind: 'failed'; failure: Failure };

/** An error as it is passed between threads. Null `code`: not one that is meant for the client. */
type Failure = { code: LandfallError['code'] | null; detail: string; options: LandfallErrorOptions; stack: string };

export function toFailure(error: unknown): Failure {
  const { message: detail, stack = '' } = error instanceof Error ? error : new Error(String(error));
  if (!(error instanceof LandfallError)) return { code: null, detail, options: {}, stack };
  const { code, mistakes, retryAfterS, shipmentIds } = error;
  return { code, detail, options: { mistakes, shipmentIds, ...(retryAfterS === null ? {} : { retryAfterS }) }, stack };
}

export function fromFailure({ code, detail, options, stack }: Failure): Error {
  return code === null ? Object.assign(new Error(detail), { stack }) : new LandfallError(code, detail, options);
}
