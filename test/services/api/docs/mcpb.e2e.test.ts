import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getMcpConfigForManifest } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as LegacyStdioTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { expectBuiltDashboard } from '#test/support/browser/pages.ts';
import { repositoryPath } from '#test/support/repository.ts';

const mcpb = repositoryPath('node_modules/@anthropic-ai/mcpb/dist/cli/cli.js');
const toolNames = ['list_shipments_summary', 'get_shipment_details'];

let api: TestApi;
let folder: string;
let unpacked: string;
let manifest: Json;

beforeAll(async () => {
  expectBuiltDashboard();
  api = await startTestApi();
  folder = mkdtempSync(join(tmpdir(), 'landfall-bundle-'));
  unpacked = join(folder, 'unpacked');
  const answer = await fetch(`${api.url}/docs/landfall.mcpb`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="landfall.mcpb"');
  writeFileSync(join(folder, 'landfall.mcpb'), Buffer.from(await answer.arrayBuffer()));
  execFileSync(process.execPath, [mcpb, 'unpack', join(folder, 'landfall.mcpb'), unpacked]);
  manifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));
});
afterAll(async () => {
  await api?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the command that Claude Desktop starts, computed by its own code from the settings. */
async function commandFor(settings: Record<string, string>) {
  const config = await getMcpConfigForManifest({
    manifest,
    extensionPath: unpacked,
    systemDirs: {},
    userConfig: settings,
    pathSeparator: '/',
  });
  if (config === undefined) throw new Error('settings are missing');
  return { command: process.execPath, args: config.args ?? [], env: config.env ?? {}, stderr: 'pipe' as const };
}

const settings = (over: Record<string, string> = {}) => ({ address: api.url, api_key: api.key, ...over });

describe('the MCPB file', () => {
  it('is valid for the official tool, asks for address and key, and marks the key as sensitive', () => {
    execFileSync(process.execPath, [mcpb, 'validate', join(unpacked, 'manifest.json')]);
    expect(manifest.user_config).toMatchObject({
      address: { type: 'string', required: true },
      api_key: { type: 'string', required: true, sensitive: true },
    });
    expect(manifest.tools.map((tool: Json) => tool.name)).toEqual(toolNames);
  });

  it('contains no key, no address of this installation, and nothing to download', () => {
    expect(readdirSync(unpacked, { recursive: true }).map(String).sort()).toEqual([
      'manifest.json',
      'package.json',
      'server',
      'server/index.js',
    ]);
    const program = readFileSync(join(unpacked, 'server', 'index.js'), 'utf8');
    expect(program).not.toContain(api.key);
    expect(program).not.toContain(new URL(api.url).host);
    expect(program).not.toContain(process.cwd());
    // Everything but the modules of Node is inside.
    const imported = [...program.matchAll(/(?:^|[;\n}])import[^"'()]*["']([^"']+)["']/g)].map(([, from]) => from);
    expect(imported.filter((from) => !from?.startsWith('node:'))).toEqual([]);
  });

  it('does not start before address and key are entered', async () => {
    await expect(commandFor({ address: api.url })).rejects.toThrow('settings are missing');
  });

  it('lists the two tools and calls them, for a client of the revisions with initialize', async () => {
    const client = new LegacyClient({ name: 'test', version: '1' });
    await client.connect(new LegacyStdioTransport(await commandFor(settings())));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(toolNames);
    expect(client.getInstructions()).toContain('tracking is whether');
    const result = await client.callTool({ name: toolNames[0] ?? '', arguments: { limit: 1 } });
    expect(result.structuredContent).toMatchObject({ total: 0, shipments: [] });
    await client.close();
  });

  it.each(['auto', 'legacy', { pin: '2026-07-28' }] as const)(
    'lists the two tools for a client of the newest SDK (%o)',
    async (mode) => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
      await client.connect(new StdioClientTransport(await commandFor(settings({ address: `${api.url}/v1/mcp/` }))));
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(toolNames);
      await expect(client.callTool({ name: 'nothing', arguments: {} })).rejects.toThrow('Unknown tool: nothing');
      await client.close();
    },
  );

  it.each([
    ['a revoked or mistyped key', { api_key: 'svc_live_nonsense' }, /HTTP 401.*API key/s],
    ['an address without a scheme', { address: 'track.example' }, /must begin with https:\/\//],
    ['an address where nothing listens', { address: 'http://127.0.0.1:1' }, /can't be reached at http:\/\/127/],
  ])('explains %s to the person', async (_what, wrong, message) => {
    const client = new LegacyClient({ name: 'test', version: '1' });
    await expect(client.connect(new LegacyStdioTransport(await commandFor(settings(wrong))))).rejects.toThrow(message);
    await client.close();
  });

  it('does not take the key to another host that an answer points to', async () => {
    const seen: unknown[] = [];
    const other = createServer((request, reply) => {
      seen.push(request.headers.authorization);
      reply.end();
    }).listen(0, '127.0.0.1');
    const redirecting = createServer((_request, reply) => {
      reply.writeHead(307, { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1/mcp` }).end();
    }).listen(0, '127.0.0.1');
    await Promise.all([other, redirecting].map((server) => once(server, 'listening')));
    const address = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
    const client = new LegacyClient({ name: 'test', version: '1' });
    const connecting = client.connect(new LegacyStdioTransport(await commandFor(settings({ address }))));
    await expect(connecting).rejects.toThrow();
    expect(seen).toEqual([]);
    await client.close();
    for (const server of [other, redirecting]) server.close();
  });
});
