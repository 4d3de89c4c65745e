import type { WireTraceSummary } from './operations-types.ts';

/** What came of a trace, in few words. */
export function traceResult({ outcome, http_status: status, error_type: error, failed, name }: WireTraceSummary): string {
  const told = [outcome?.replaceAll('_', ' '), status === null ? null : `HTTP ${status}`, error].filter(
    (each) => each !== null && each !== undefined,
  );
  if (told.length > 0) return [...new Set(told)].join(', ');
  return failed ? `${name} failed` : name;
}
