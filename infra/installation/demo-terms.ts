import type { FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import { demonstrationTerms } from '#shared/domain/registration/demonstration.ts';

/** Stores free-time terms for the demonstration over HTTP, as a client would, unless the account has terms already. */
export async function storeDemoTerms(
  { apiUrl, apiKey }: { apiUrl: string; apiKey: string },
  signal: AbortSignal,
): Promise<void> {
  const url = `${apiUrl}/v1/free-time-terms`;
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const timed = () => AbortSignal.any([signal, AbortSignal.timeout(10_000)]);
  const read = await fetch(url, { headers, signal: timed() });
  if (!read.ok) throw new Error(`/v1/free-time-terms responded with ${read.status}`);
  const { terms } = (await read.json()) as { terms: unknown[] };
  if (terms.length > 0) return;
  const body = JSON.stringify({ terms: demonstrationTerms.map(toRow) });
  const stored = await fetch(url, { method: 'PUT', headers, body, signal: timed() });
  await stored.body?.cancel();
  if (!stored.ok) throw new Error(`/v1/free-time-terms responded with ${stored.status}`);
}

/** As a client writes it: what is left out has the default. */
function toRow({ kind, carrier, freeDays, startEvent, rates, currency }: FreeTimeTerm) {
  return {
    kind,
    carrier,
    free_days: freeDays,
    start_event: startEvent,
    rates: rates.map(({ fromDay, amount }) => ({ from_day: fromDay, amount })),
    currency,
  };
}
