import type { WireTraceSummary } from './operations-types.ts';

const reasonTexts: Record<string, string> = {
  carrier_unreachable: 'no answer',
  carrier_rate_limited: 'asked to slow down',
  carrier_auth_failed: 'credentials refused',
  unrecognized_response: 'answer not understood',
  internal_error: 'a fault of ours',
};

/** Why a refresh failed, in few words. */
export function fetchResult({ reason, http_status: status }: { reason: string; http_status: number | null }): string {
  // A carrier that answers with a status did answer.
  const words =
    reason === 'carrier_unreachable' && status !== null
      ? 'fault of the carrier'
      : (reasonTexts[reason] ?? reason.replaceAll('_', ' '));
  return status === null ? words : `${words}, HTTP ${status}`;
}

/** What came of a trace, in few words. */
export function traceResult({
  outcome,
  http_status: status,
  error_type: error,
  failed,
  name,
}: WireTraceSummary): string {
  const told = [outcome?.replaceAll('_', ' '), status === null ? null : `HTTP ${status}`, error].filter(
    (each) => each !== null && each !== undefined,
  );
  if (told.length > 0) return [...new Set(told)].join(', ');
  return failed ? `${name} failed` : name;
}
