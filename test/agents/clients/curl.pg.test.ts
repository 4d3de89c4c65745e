import { request as sendRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectRightAnswers, openPortfolio, type Portfolio, toolNames } from './portfolio.ts';
import { runProgram } from './run-program.ts';

let portfolio: Portfolio;
beforeAll(async () => {
  portfolio = await openPortfolio();
});
afterAll(() => portfolio.close());

const ajv = new Ajv2020({ strict: false });

it.each([
  ['with its default headers', []],
  ['with no further header', ['-H', 'Accept:', '-H', 'User-Agent:']],
])('curl, %s, lists the tools and calls both with only a key and a content type', async (_name, options: string[]) => {
  const { tools } = await rpc('tools/list', undefined, options);
  expect(tools.map((tool: { name: string }) => tool.name)).toEqual(toolNames);
  let validated = 0;
  const structured = await expectRightAnswers(async (name, args) => {
    const answer = await rpc('tools/call', { name, arguments: args }, options);
    const { outputSchema } = tools.find((tool: { name: string }) => tool.name === name);
    if (answer.isError === true) return answer;
    expect(ajv.validate(outputSchema, answer.structuredContent), ajv.errorsText()).toBe(true);
    validated += 1;
    return answer;
  });
  expect(validated).toBe(structured);
});

async function rpc(method: string, params: unknown, options: string[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', method, id: 1, params });
  const { id, result } = JSON.parse(await post(body, options));
  expect(id).toBe(1);
  return result;
}

/** The request of the interface document. Without curl, sends the same bytes except for curl's own two headers. */
async function post(body: string, options: string[]): Promise<string> {
  const headers = { Authorization: `Bearer ${portfolio.api.key}`, 'Content-Type': 'application/json' };
  const shown = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = [
    '--disable',
    '--noproxy',
    '*',
    '-sS',
    '--fail-with-body',
    '-X',
    'POST',
    portfolio.mcpUrl,
    ...shown,
    ...options,
    '-d',
    body,
  ];
  try {
    const run = await runProgram('curl', args);
    expect([run.stderr, run.exitCode]).toEqual(['', 0]);
    return run.stdout;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return postPlainly(body, headers);
  }
}

async function postPlainly(body: string, headers: Record<string, string>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const request = sendRequest(portfolio.mcpUrl, { method: 'POST', headers }, (answer) =>
    text(answer).then(resolve, reject),
  );
  request.on('error', reject);
  request.end(body);
  return promise;
}
