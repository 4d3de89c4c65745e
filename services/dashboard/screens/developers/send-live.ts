import { sendTo } from '../../api/call.ts';

export type LiveAnswer = { status: number; ok: boolean; ms: number; requestId: string | null; body: string };

const mostCharacters = 6000;

/** Sends a GET of /v1 with the session, and times it. Never throws: no answer is an answer here. */
export async function sendLive(path: string): Promise<LiveAnswer> {
  const startedMs = performance.now();
  try {
    const response = await sendTo(`/dashboard/api${path}`);
    const text = await response.text();
    const ms = Math.round(performance.now() - startedMs);
    return {
      status: response.status,
      ok: response.ok,
      ms,
      requestId: response.headers.get('x-request-id'),
      body: shown(text),
    };
  } catch {
    const ms = Math.round(performance.now() - startedMs);
    return { status: 0, ok: false, ms, requestId: null, body: 'Landfall did not answer.' };
  }
}

/** Set out over lines, and no longer than somebody reads. */
export function shown(text: string): string {
  let pretty = text;
  try {
    pretty = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: as it came.
  }
  if (pretty.length <= mostCharacters) return pretty;
  const cut = pretty.lastIndexOf('\n', mostCharacters);
  return `${pretty.slice(0, cut === -1 ? mostCharacters : cut)}\n… ${(pretty.length - cut).toLocaleString('en')} more characters`;
}
