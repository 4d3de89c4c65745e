import { delayReasonCodes, delayReasonWords, otherCause } from '../events/delay-reasons.ts';
import { type ExceptionCode, exceptionCodes, type ShipmentException } from '../record/shipment.ts';

/** In place of a cause: the shipment was late, and the record knows none. */
export const unknownCause = 'unknown';

/** A delay is not its own cause, and free time begins after the arrival. */
const notCauses: readonly ExceptionCode[] = ['delayed', 'last_free_day_near', 'last_free_day_passed', 'other'];

const causingExceptions = exceptionCodes.filter((code) => !notCauses.includes(code));

/** Every cause: SMDG's codes, exceptions, `other` and `unknown`. */
export const delayCauses: readonly string[] = [
  ...delayReasonCodes,
  ...causingExceptions,
  otherCause,
  unknownCause,
].sort();

const exceptionWords: { [Code in ExceptionCode]?: string } = {
  customs_hold: 'held by customs',
  carrier_hold: 'held by the carrier',
  terminal_hold: 'held at the terminal',
  freight_hold: 'held for freight charges',
  delivery_attempt_failed: 'failed delivery attempt',
  address_problem: 'wrong or incomplete address',
  damaged: 'damage',
  rolled: 'left behind for a later departure',
  misrouted: 'misrouted',
  weather: 'bad weather',
};

/**
 * Returns the recorded causes of a late shipment's delay, sorted: the reasons that the carrier stated, and exceptions
 * that opened up to the arrival. A shipment counts once for each. Nothing is inferred: `unknown` alone if nothing is
 * stated.
 */
export function delayCausesOf(exceptions: readonly ShipmentException[], arrivedAt: string): string[] {
  const before = exceptions.filter(
    ({ code, openedAt }) => code === 'delayed' || Date.parse(openedAt) <= Date.parse(arrivedAt),
  );
  const found = new Set(
    before.flatMap(({ code, cause }) => [
      ...(cause === undefined ? [] : [cause]),
      ...(causingExceptions.includes(code) ? [code] : []),
      ...(code === 'other' ? [otherCause] : []),
    ]),
  );
  return found.size === 0 ? [unknownCause] : [...found].sort();
}

/** The cause in words, without a capital: `berth congestion`. */
export function delayCauseWords(cause: string): string {
  if (cause === unknownCause) return 'no cause stated';
  if (cause === otherCause) return 'another reason';
  return exceptionWords[cause as ExceptionCode] ?? delayReasonWords(cause) ?? cause;
}
