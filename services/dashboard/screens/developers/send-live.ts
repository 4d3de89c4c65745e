import { sendTo } from '../../api/call.ts';
import { numberLocale } from '../../parts/words/locale.ts';

export type LiveResponse = { status: number; ok: boolean; ms: number; requestId: string | null; body: string };

const maxCharacters = 6000;

/** Sends a GET of /v1 with the session, and times it. Never throws: a failure is a response with status 0. */
export async function sendLive(path: string): Promise<LiveResponse> {
  const startedMs = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedMs);
  try {
    const response = await sendTo(`/dashboard/api${path}`);
    const body = readable(await response.text());
    const requestId = response.headers.get('x-request-id');
    return { status: response.status, ok: response.ok, ms: elapsedMs(), requestId, body };
  } catch {
    return { status: 0, ok: false, ms: elapsedMs(), requestId: null, body: 'Landfall is unreachable.' };
  }
}

/** Indented JSON, cut at a line when it is too long to read. */
export function readable(text: string): string {
  let pretty = text;
  try {
    pretty = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON.
  }
  if (pretty.length <= maxCharacters) return pretty;
  const cut = pretty.lastIndexOf('\n', maxCharacters);
  return `${pretty.slice(0, cut === -1 ? maxCharacters : cut)}\n… ${(pretty.length - cut).toLocaleString(numberLocale())} more characters`;
}
