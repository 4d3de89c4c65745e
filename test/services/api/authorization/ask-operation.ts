import { request } from 'undici';
import type { Operation } from '#shared/contract/operation.ts';
import { operations } from '#shared/contract/operations.ts';
import { pageHeaders, type SignedInMember } from '#test/support/browser/dashboard.ts';
import type { Mode } from './account-ids.ts';
import { fill } from './id-fields.ts';
import { type OperationRow, operationRows, type RequestPart } from './operation-rows.ts';

/** An operation at one of its doors: under /v1 with a key, or under /dashboard/api with a session. */
export type Door = 'key' | 'session';
export type Route = {
  /** `session PATCH /dashboard/api/v1/shipments/{shipment_id}`. */
  title: string;
  id: string;
  door: Door;
  operation: Operation;
  address: string;
  row: OperationRow;
  requests: readonly RequestPart[];
};

const entries = Object.entries(operations) as [keyof typeof operations, Operation][];

export const routes: readonly Route[] = entries.flatMap(([id, operation]) => {
  const doors: Door[] =
    operation.access === 'key_or_session' ? ['key', 'session'] : [operation.access === 'key' ? 'key' : 'session'];
  return doors.map((door) => {
    const address =
      door === 'session' && operation.access !== 'session' ? `/dashboard/api${operation.path}` : operation.path;
    const row: OperationRow = operationRows[id];
    const { body } = operation;
    const [example] = Object.values(body?.examples ?? {});
    const usual = [body === undefined ? {} : { body: example?.value ?? {} }];
    return {
      title: `${door} ${operation.method} ${operation.path}`,
      ...{ id, door, operation, address, row },
      requests: row.requests ?? usual,
    };
  });
});

export type Answer = { status: number; code: string | null; detail: string; text: string };

export type Asked = {
  headers: Record<string, string>;
  /** The id for each field of the request. */
  choose: (field: string, kind: string) => string;
  part?: RequestPart;
};

/** Sends a request of the route and returns the answer; of one that stays open, what has arrived first. */
export async function ask(baseUrl: string, route: Route, { headers, choose, part }: Asked): Promise<Answer> {
  const { operation, address } = route;
  const { query, body } = part ?? route.requests[0] ?? {};
  const search = query === undefined ? '' : `?${new URLSearchParams(fill(query, 'query', choose))}`;
  const filled = fill(body, 'body', choose);
  const mediaType = operation.body?.mediaTypes?.[0] ?? 'application/json';
  const answer = await request(`${baseUrl}${fill(address, 'path', choose)}${search}`, {
    method: operation.method,
    headers: { ...(filled !== undefined && { 'content-type': mediaType }), ...headers },
    body: filled === undefined ? null : typeof filled === 'string' ? filled : JSON.stringify(filled),
  });
  const text = await textOf(answer);
  const isProblem = String(answer.headers['content-type']).startsWith('application/problem+json');
  const problem = isProblem ? JSON.parse(text) : {};
  return { status: answer.statusCode, code: problem.code ?? null, detail: problem.detail ?? '', text };
}

async function textOf({ headers, body }: Awaited<ReturnType<typeof request>>): Promise<string> {
  if (!String(headers['content-type']).startsWith('text/event-stream')) return body.text();
  for await (const chunk of body) {
    // Leaving the loop ends the request.
    return String(chunk);
  }
  return '';
}

/** The answer without what differs between any two requests: new ids and secrets, times and traces. */
export function comparable({ status, text }: Answer): string {
  const masked = text
    .replaceAll(/"(request_id|trace_id|secret|url|retry)":("[^"]*"|null)/g, '')
    .replaceAll(/\b[a-z]+_[0-9a-hjkmnp-tv-z]{26}\b/g, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
  return `${status} ${masked}`;
}

/** The headers of a key. */
export function withKey(secret: string): Record<string, string> {
  return { authorization: `Bearer ${secret}` };
}

/** The headers of the dashboard's pages for a signed-in user. */
export function withSession(member: SignedInMember, mode: Mode, baseUrl: string): Record<string, string> {
  return { ...pageHeaders(member, baseUrl), 'landfall-mode': mode };
}
