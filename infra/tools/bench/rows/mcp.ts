import { operatorOf } from '#infra/installation/open-script-core.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { ensureFirstAccount } from '#shared/core/keys/ensure-initial-access.ts';
import { setAccountLimits } from '#shared/core/keys/set-account-limits.ts';
import { registerShipment } from '#shared/core/registration/register-shipment.ts';
import { found, refresh } from '#test/support/carriers/refreshed-shipment.ts';
import { seedShipments } from '#test/support/seed-shipments.ts';
import type { Bench } from '../bench.ts';
import { benchJourney } from '../bench-journey.ts';
import { compareRounds, interleave, medians } from '../interleave.ts';
import { type Load, measureLoad } from '../load.ts';
import type { MeasuredServer } from '../measure/measured-server.ts';
import type { Goal, Result, Row } from '../row.ts';
import { openBenchCore, serviceEnv } from '../service-env.ts';

const shipmentCount = 10_000;
const connections = 16;
/** The first requests of a process mostly pay for compilation. */
const warmUps = 1000;
const mbl = 'MAEU555000111';
const baseline = "the SDK's McpServer";

type Work = { name: string; method: string; params: Record<string, unknown>; goal: Goal };

const works: readonly Work[] = [
  { name: 'tools/list', method: 'tools/list', params: {}, goal: { atLeast: 5 } },
  {
    name: 'call list_shipments_summary',
    method: 'tools/call',
    params: { name: 'list_shipments_summary', arguments: { status: ['in_transit'], limit: 20 } },
    goal: { atLeast: 2 },
  },
  {
    name: 'call get_shipment_details',
    method: 'tools/call',
    params: { name: 'get_shipment_details', arguments: { identifier: mbl } },
    goal: { atLeast: 2 },
  },
];

/**
 * The MCP endpoint against the SDK's stock server over the same tools, store and key check: the server's CPU time per
 * request.
 */
export const mcpRow: Row = { name: 'mcp', measure };

async function measure(bench: Bench): Promise<Result[]> {
  const databaseUrl = await bench.newDatabase();
  const key = await prepareAccount(databaseUrl);
  const env = {
    ...serviceEnv(databaseUrl),
    PORT: '0',
    HOST: '127.0.0.1',
  };
  const product = await bench.startServer({ file: 'services/api/main.ts', env });
  const stock = await bench.startServer({ file: 'infra/tools/bench/baselines/stock-mcp.ts', env });
  const results: Result[] = [];
  for (const work of works) {
    bench.note(work.name);
    await checkSameAnswers(work, [
      legacyRequest(stock, key, work),
      legacyRequest(product, key, work),
      modernRequest(product, key, work),
    ]);
    const sides = {
      stock: legacyRequest(stock, key, work),
      legacy: legacyRequest(product, key, work),
      modern: modernRequest(product, key, work),
    };
    for (const side of Object.values(sides)) await measureLoad(side.server, { ...loadOf(side, 0), atLeast: warmUps });
    const load = (side: Exchange) => () => measureLoad(side.server, loadOf(side, bench.seconds));
    const rounds = await interleave(bench.rounds, {
      stock: load(sides.stock),
      legacy: load(sides.legacy),
      modern: load(sides.modern),
    });
    for (const era of ['legacy', 'modern'] as const) {
      results.push({
        work: `${work.name}, ${era}`,
        baseline,
        compares: 'its CPU/op ÷ ours',
        ...compareRounds(
          rounds[era],
          rounds.stock,
          (ours, theirs) => theirs.cpuPerOperationUs / ours.cpuPerOperationUs,
        ),
        goal: work.goal,
        product: medians(rounds[era]),
        baselineCost: medians(rounds.stock),
      });
    }
  }
  return results;
}

type Exchange = { server: MeasuredServer; headers: Record<string, string>; body: string };

/** The request of a client of the revisions with `initialize`. */
function legacyRequest(server: MeasuredServer, key: string, { method, params }: Work): Exchange {
  return {
    server,
    headers: { ...commonHeaders(key), 'mcp-protocol-version': '2025-11-25' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  };
}

/** The request of a 2026-07-28 client. */
function modernRequest(server: MeasuredServer, key: string, { method, params }: Work): Exchange {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {};
  return {
    server,
    headers: { ...commonHeaders(key), 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
  };
}

function commonHeaders(key: string): Record<string, string> {
  return {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
}

function loadOf({ headers, body }: Exchange, seconds: number): Load {
  return {
    connections,
    seconds,
    atLeast: 300,
    request: () => ({ method: 'POST', path: '/v1/mcp', headers, body }),
    isGood: (status, text) => status === 200 && text.includes('"result":') && !text.includes('"isError":true'),
  };
}

/** All sides must do the same work: the same tools, the same shipments. */
async function checkSameAnswers(work: Work, sides: readonly Exchange[]): Promise<void> {
  const answers: string[] = [];
  for (const { server, headers, body } of sides) {
    const answer = await fetch(`${server.url}/v1/mcp`, { method: 'POST', headers, body });
    const text = await answer.text();
    const data = text.startsWith('event:') ? /^data: (.*)$/m.exec(text)?.[1] : text;
    if (answer.status !== 200 || data === undefined)
      throw new Error(`${work.name} was rejected: ${answer.status} ${text.slice(0, 500)}`);
    const { result } = JSON.parse(data) as {
      result?: { tools?: { name: string }[]; content?: { text: string }[]; isError?: boolean };
    };
    if (result === undefined || result.isError === true) throw new Error(`${work.name} failed: ${text.slice(0, 500)}`);
    const essence =
      result.tools?.map((tool) => tool.name).join() ??
      result.content?.[0]?.text.replaceAll(/"(?:as_of|next_cursor)":"[^"]*"/g, '');
    answers.push(essence ?? '');
  }
  if (answers[0] === '' || new Set(answers).size !== 1)
    throw new Error(`${work.name} has different answers: ${answers.map((answer) => answer.slice(0, 500)).join('\n')}`);
}

/** An account with many shipments, one of which has many events, and an unlimited key. */
async function prepareAccount(databaseUrl: string): Promise<string> {
  const core = await openBenchCore(databaseUrl);
  try {
    const { accountId } = await ensureFirstAccount(core);
    const operator = operatorOf(accountId);
    await setAccountLimits(core, operator, { mcp: 1_000_000_000 });
    await seedShipments({ databaseUrl, accountId, count: shipmentCount });
    const { shipment } = await registerShipment(core, operator, {
      transportMode: 'ocean',
      carrier: 'MAEU',
      identifiers: { mbl },
      serviceType: null,
      reference: 'PO-BENCH',
      references: [],
      tags: ['acme'],
      metadata: {},
      destinationPostalCode: null,
    });
    await refresh(core, { accountId, shipmentId: shipment.id }, found(...benchJourney));
    return (await createApiKey(core, accountId, { name: 'bench', test: false })).secret;
  } finally {
    await core.close();
  }
}
