import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, BuildUnderTest } from './build-under-test.ts';
import type { Voyage } from './voyages.ts';

/** A voyage that has been registered. `shipmentId` as clients know it, `uuid` as the database does. */
export type Registered = { voyage: Voyage; shipmentId: string; uuid: string; atMs: number };

/** One line of a recording. */
export type RecordedAnswer = {
  request: string;
  status: number;
  type: string;
  etag: string;
  link: string;
  body: string;
};

const asOfMoments = 20;
/** Voyages that are read at the same time. */
const atOnce = 6;
const listQueries = [
  'sort=-created_at&limit=100&archived=any',
  'sort=-updated_at&limit=50&include=events,containers,legs,exceptions',
  'sort=-last_event_at&limit=100',
  'sort=eta&limit=100&include_total=true',
  'status=delivered&limit=100&include_total=true',
  'transport_mode=ocean&q=shanghai&limit=100',
  'has_exception=true&limit=100',
  'needs_attention=true&limit=100',
  'tag=spring&limit=100&fields=shipment_id,status,eta,tracking',
];
/** In a tool's result, and in the text that repeats it. */
const mcpCursor = /(next_cursor\\?":\\?")[\w-]+/g;
/** Code in a tool's result for a call that may succeed later. */
const refusedTool = /"code\\?":\\?"(?:unavailable|account_busy)\\?"/;
const exportQueries = ['format=ndjson&archived=any&sort=created_at', 'format=csv&archived=any&sort=created_at'];

/**
 * Writes every answer about these shipments as it is now: a file a voyage, and one an account for what is about all of
 * them. Cursors are followed but not written.
 */
export async function capture(
  build: BuildUnderTest,
  { registered, folder, nowMs }: { registered: readonly Registered[]; folder: string; nowMs: number },
): Promise<number> {
  let answers = 0;
  const write = (name: string, lines: readonly RecordedAnswer[]): void => {
    answers += lines.length;
    writeAnswers(folder, name, lines);
  };
  const waiting = [...registered];
  const inTurn = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const { connector, number } = one.voyage;
      write(`voyage-${String(number).padStart(4, '0')}-${connector}`, await aboutVoyage(build, one, nowMs));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, inTurn));
  for (const [account] of build.customers.entries()) write(`account-${account}`, await aboutAccount(build, account));
  return answers;
}

export function writeAnswers(folder: string, name: string, lines: readonly RecordedAnswer[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.ndjson`), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

async function aboutVoyage(build: BuildUnderTest, { voyage, shipmentId, atMs }: Registered, nowMs: number) {
  const path = `/v1/shipments/${shipmentId}`;
  const { account } = voyage;
  const lines = [await get(build, account, path)];
  lines.push(...(await pages(build, account, `${path}/events?sort=time&limit=20`)));
  lines.push(...(await pages(build, account, `${path}/events?include=raw&limit=100&sort=-received_at`)));
  lines.push(await get(build, account, `${path}/events?classifier=actual&limit=100`));
  lines.push(await get(build, account, `${path}/refreshes`), await get(build, account, `${path}/unreadable-events`));
  for (let moment = 0; moment < asOfMoments; moment++) {
    const at = new Date(atMs + Math.floor(((nowMs - atMs) * moment) / (asOfMoments - 1))).toISOString();
    lines.push(await get(build, account, `${path}?as_of=${at}`));
  }
  const details = { identifier: shipmentId };
  lines.push(await callTool(build, account, 'get_shipment_details', details));
  return lines;
}

async function aboutAccount(build: BuildUnderTest, account: number): Promise<RecordedAnswer[]> {
  const lines: RecordedAnswer[] = [];
  for (const query of listQueries) lines.push(...(await pages(build, account, `/v1/shipments?${query}`)));
  for (const query of exportQueries) lines.push(await get(build, account, `/v1/shipments/export?${query}`));
  lines.push(await get(build, account, '/v1/shipments/counts?archived=any'));
  lines.push(...(await feed(build, account)));
  for (const args of [
    { limit: 50 },
    { limit: 50, sort: '-updated_at', query: 'rotterdam' },
    { limit: 50, sort: 'eta', tag: ['spring'] },
  ])
    lines.push(await callTool(build, account, 'list_shipments_summary', args));
  return lines;
}

async function get(build: BuildUnderTest, account: number, path: string): Promise<RecordedAnswer> {
  return recorded(`GET ${path}`, await askUntilServed(build, account, path));
}

function askUntilServed(build: BuildUnderTest, account: number, path: string): Promise<Answer> {
  return untilServed(
    () => build.ask(account, 'GET', path),
    ({ status }) => status === 503,
  );
}

/** On a busy machine a build refuses some of the parallel requests, which says nothing about what it stores. */
async function untilServed(ask: () => Promise<Answer>, isRefused: (answer: Answer) => boolean): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (!isRefused(answer)) return answer;
    await sleep(500);
  }
}

/** All pages. A cursor is opaque, and how it is written is each build's own affair. */
async function pages(build: BuildUnderTest, account: number, path: string): Promise<RecordedAnswer[]> {
  const lines: RecordedAnswer[] = [];
  for (let cursor: string | null = null, page = 1; page === 1 || cursor !== null; page++) {
    const at = cursor === null ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
    const answer = await askUntilServed(build, account, at);
    cursor = nextCursor(answer);
    const line = recorded(`GET ${path} page ${page}`, answer);
    const hide = (text: string) =>
      cursor === null ? text : text.replaceAll(cursor, 'CURSOR').replaceAll(encodeURIComponent(cursor), 'CURSOR');
    lines.push({ ...line, body: hide(line.body), link: hide(line.link) });
  }
  return lines;
}

type Change = { position: number; created_at: string; data: { shipment: { shipment_id: string } } };

/**
 * The feed from its beginning, a line a shipment. Changes of several shipments at one moment have no order of their
 * own, so positions only have to ascend.
 */
async function feed(build: BuildUnderTest, account: number): Promise<RecordedAnswer[]> {
  const changes: Change[] = [];
  let isCompact = true;
  let answer = await askUntilServed(build, account, '/v1/events?limit=500&after=0');
  for (;;) {
    const body = parsed(answer.body) as { data?: Change[]; page?: { has_more: boolean; next_after: number } };
    isCompact &&= JSON.stringify(body) === answer.body;
    changes.push(...(body.data ?? []));
    if (body.page?.has_more !== true) break;
    answer = await askUntilServed(build, account, `/v1/events?limit=500&after=${body.page.next_after}`);
  }
  const ascends = changes.every(({ position }, index) => position > (changes[index - 1]?.position ?? 0));
  const summary = JSON.stringify({ changes: changes.length, ascends, isCompact });
  const lineOf = (request: string, body: string) => recorded(request, { ...answer, body });
  const byShipment = Map.groupBy(changes, (change) => change.data.shipment.shipment_id);
  // Ids ascend in the order of registration.
  const inOrder = [...byShipment].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [
    lineOf('the feed', summary),
    ...inOrder.map(([shipmentId, own]) =>
      lineOf(`the feed of ${shipmentId}`, JSON.stringify(own.map(({ position: _, ...change }) => change))),
    ),
  ];
}

async function callTool(build: BuildUnderTest, account: number, name: string, args: object): Promise<RecordedAnswer> {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const answer = await untilServed(
    () => build.ask(account, 'POST', '/v1/mcp', call),
    ({ body }) => refusedTool.test(body),
  );
  const line = recorded(`MCP ${name} ${JSON.stringify(args)}`, answer);
  return { ...line, body: line.body.replaceAll(mcpCursor, '$1CURSOR') };
}

/** The parts of an answer that must not change. */
export function recorded(request: string, { status, headers, body }: Answer): RecordedAnswer {
  const header = (name: string) => String(headers[name] ?? '');
  return { request, status, type: header('content-type'), etag: header('etag'), link: header('link'), body };
}

function nextCursor({ body }: Answer): string | null {
  return (parsed(body) as { page?: { next_cursor?: string | null } }).page?.next_cursor ?? null;
}

function parsed(body: string): object {
  try {
    return JSON.parse(body) as object;
  } catch {
    return {};
  }
}
