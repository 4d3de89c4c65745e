import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countQuestions } from '#infra/tools/desk/agent-questions/counts.ts';
import { lateQuestions } from '#infra/tools/desk/agent-questions/late.ts';
import { numberQuestions } from '#infra/tools/desk/agent-questions/numbers.ts';
import { troubleQuestions } from '#infra/tools/desk/agent-questions/trouble.ts';
import { whenQuestions } from '#infra/tools/desk/agent-questions/when.ts';
import { whereQuestions } from '#infra/tools/desk/agent-questions/where.ts';
import { type Agent, connectAgent } from '#infra/tools/desk/ask.ts';
import { expectTrueFacts, sumOf } from '#infra/tools/desk/facts.ts';
import { foreignMark, type Portfolio, type Portfolios, seedPortfolios } from '#infra/tools/desk/portfolio.ts';
import { type Answer, list, maxCalls, type Question, type Row, rowsOf } from '#infra/tools/desk/question.ts';
import { createApiKey } from '#shared/core/keys/create-api-key.ts';
import { jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { openTestCore, type TestCore } from '#test/support/core-context.ts';

const questions: Question[] = [
  ...lateQuestions,
  ...numberQuestions,
  ...whereQuestions,
  ...whenQuestions,
  ...troubleQuestions,
  ...countQuestions,
];
const costs = new Map<string, { calls: number; tokensIn: number; tokensOut: number }>();
let core: TestCore;
let api: TestApi;
let portfolios: Portfolios;
let key: string;
let agent: Agent;
let foreignAgent: Agent;

beforeAll(async () => {
  core = await openTestCore();
  portfolios = await seedPortfolios(core);
  api = await startTestApi({ DATABASE_URL: core.serviceUrl });
  const keyOf = async (accountId: string) =>
    (await createApiKey(core.ctx, accountId, { name: 'agent', test: false })).secret;
  key = await keyOf(portfolios.me.accountId);
  agent = await connectAgent(api.url, key);
  foreignAgent = await connectAgent(api.url, await keyOf(portfolios.them.accountId));
});

afterAll(async () => {
  if (costs.size > 0) console.log(await costTable());
  await agent?.close();
  await foreignAgent?.close();
  await api?.close();
  await core?.close();
});

it('asks at least 40 questions about a portfolio with every mode, beside another account', () => {
  expect(questions.length).toBeGreaterThanOrEqual(40);
  expect(new Set(questions.map(({ ask }) => ask)).size).toBe(questions.length);
  expect(portfolios.mine.shipments.length).toBeGreaterThanOrEqual(150);
  expect(portfolios.theirs.shipments.length).toBeGreaterThanOrEqual(20);
  expect(new Set(portfolios.mine.shipments.map(({ registration }) => registration.transportMode))).toEqual(
    new Set(['ocean', 'air', 'road', 'parcel']),
  );
});

describe('an agent gets its answer in at most two calls:', () => {
  it.each(questions)('$ask', async ({ ask, ways, check }) => {
    for (const [place, way] of ways.entries()) {
      const answers = await agent.pursue(way);
      expect(answers.length).toBeLessThanOrEqual(maxCalls);
      check(answers, portfolios.mine);
      expectTrueFacts(answers, portfolios.mine);
      expectNothingOf(portfolios.theirs, answers);
      for (const { text } of answers) expect(text).not.toContain(foreignMark);
      if (place === 0) costs.set(ask, costOf(answers));
    }
  });
});

describe('the other account asks the same and sees none of this account’s shipments:', () => {
  it.each(questions)('$ask', async ({ ways }) => {
    for (const way of ways) {
      const answers = await foreignAgent.pursue(way.filter((call) => typeof call !== 'function'));
      expectTrueFacts(answers, portfolios.theirs);
      expectNothingOf(portfolios.mine, answers);
    }
  });
});

it.each<[string, Record<string, unknown>]>([
  ['', {}],
  ['status=in_transit', { status: ['in_transit'] }],
  ['has_exception=true', { has_exception: true }],
  ['stale=true', { stale: true }],
  ['delayed_min_hours=24&sort=eta', { delayed_min_hours: 24, sort: 'eta' }],
  ['q=7000', { query: '7000' }],
  ['origin=CN&sort=-updated_at', { origin: 'China', sort: '-updated_at' }],
  ['tag=acme', { tag: 'acme' }],
])('returns the same shipments and numbers over REST and the tool: %s', async (query, args) => {
  const rest = await readOverRest(query);
  const pages: Answer[] = [];
  for (let cursor: unknown; pages.length === 0 || cursor !== undefined; cursor = pages.at(-1)?.content.next_cursor) {
    pages.push(...(await agent.pursue([list({ ...args, limit: 50, ...(cursor === undefined ? {} : { cursor }) })])));
  }
  expect(rowsOf(pages).map((row) => [row.shipment_id, row.status])).toEqual(rest.rows);
  for (const { content } of pages) {
    expect([content.total, content.counts_by_status]).toEqual([rest.total, rest.countsByStatus]);
  }
});

async function readOverRest(
  query: string,
): Promise<{ rows: [string, string][]; total: number; countsByStatus: object }> {
  const rows: [string, string][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const address = `${api.url}/v1/shipments?limit=100&include_total=true&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const {
      data,
      page,
      counts_by_status: countsByStatus,
    } = await jsonOf(await fetch(address, { headers: { authorization: `Bearer ${key}` } }));
    rows.push(...data.map((row: Row) => [row.shipment_id, row.status]));
    if (page.next_cursor === null || page.next_cursor === undefined) return { rows, total: page.total, countsByStatus };
    cursor = page.next_cursor;
  }
  throw new Error('the last page was never reached');
}

/** The answers contain no ID or reference of the other account. */
function expectNothingOf(others: Portfolio, answers: readonly Answer[]): void {
  for (const { text, args } of answers) {
    for (const { id, registration } of others.shipments) {
      expect(text).not.toContain(id);
      const isRequested = JSON.stringify(args).includes(registration.reference ?? '');
      if (!isRequested) expect(text).not.toContain(`"${registration.reference}"`);
    }
  }
}

function costOf(answers: readonly Answer[]): { calls: number; tokensIn: number; tokensOut: number } {
  const sum = (part: 'tokensIn' | 'tokensOut') => answers.reduce((total, answer) => total + answer[part], 0);
  return { calls: answers.length, tokensIn: sum('tokensIn'), tokensOut: sum('tokensOut') };
}

async function costTable(): Promise<string> {
  const line = (name: string, ...cells: (string | number)[]) =>
    `${name.slice(0, 78).padEnd(78)}${cells.map((cell) => String(cell).padStart(8)).join('')}`;
  const lines = [...costs].map(([ask, { calls, tokensIn, tokensOut }]) => line(ask, calls, tokensIn, tokensOut));
  const total = (part: 'calls' | 'tokensIn' | 'tokensOut') =>
    sumOf(Object.fromEntries([...costs].map(([ask, cost]) => [ask, cost[part]])));
  return [
    line('question', 'calls', 'in', 'out'),
    ...lines,
    line(`${costs.size} questions`, total('calls'), total('tokensIn'), total('tokensOut')),
    line('the list of tools, once', '', '', await agent.tokensOfTools()),
  ].join('\n');
}
