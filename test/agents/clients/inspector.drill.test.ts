import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPortfolio, type Portfolio, sailed, toolNames } from './portfolio.ts';
import { type ProgramRun, runProgram } from './run-program.ts';

// The launcher of a package that is installed as a dependency; its install script isn't needed.
const inspector = fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js'));

let portfolio: Portfolio;
let home: string;
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'landfall-inspector-'));
  portfolio = await openPortfolio();
});
afterAll(async () => {
  await portfolio.close();
  rmSync(home, { recursive: true, force: true });
});

describe.each(['legacy', 'auto', 'modern'])('the Inspector with the protocol era %s', (era) => {
  it('lists the tools and reports no problem with their schemas', async () => {
    const { exitCode, stdout, stderr } = await inspect(era, ['--method', 'tools/list', '--strict']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const { tools } = JSON.parse(stdout);
    expect(tools.map((tool: { name: string }) => tool.name)).toEqual(toolNames);
    expect(stdout).toBe(`${JSON.stringify({ tools }, null, 2)}\n`);
  });

  it('calls both tools', async () => {
    const runs = await Promise.all([
      inspect(era, callOf('list_shipments_summary', { status: ['in_transit'], limit: 5 })),
      inspect(era, callOf('get_shipment_details', { identifier: sailed.mbl, response_format: 'detailed' })),
    ]);
    expect(runs.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      runs.map(() => ({ exitCode: 0, stderr: '' })),
    );
    const [list, details] = runs.map((run) => JSON.parse(run.stdout).structuredContent);
    expect(list).toMatchObject({ total: 1, shipments: [{ identifier: sailed.mbl, status: 'in_transit' }] });
    expect(details).toMatchObject({ identifiers: sailed, status: 'in_transit', events_count: 2 });
  });
});

it('reports an unknown number to the Inspector as a tool error with the tool’s answer', async () => {
  const run = await inspect('auto', callOf('get_shipment_details', { identifier: 'MAEU799999999' }));
  expect(JSON.parse(run.stderr).error.code).toBe('tool_is_error');
  expect(JSON.parse(run.stdout)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('POST /v1/shipments') }],
  });
});

function callOf(tool: string, args: object): string[] {
  return ['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args)];
}

function inspect(era: string, method: string[]): Promise<ProgramRun> {
  const where = ['--cli', portfolio.mcpUrl, '--transport', 'http', '--protocol-era', era];
  const key = ['--header', `Authorization: Bearer ${portfolio.api.key}`];
  // Keeps its settings and logins in a folder of this test.
  return runProgram(process.execPath, [inspector, ...where, ...key, ...method], { HOME: home, USERPROFILE: home });
}
