import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { legacyVersions, modernVersion } from '#services/api/mcp/protocol-versions.ts';
import { viewDataKey, viewFiles, viewUris } from '#shared/contract/mcp/view-files.ts';
import { type Json, jsonOf, startTestApi, type TestApi } from '#test/support/api/api.ts';
import { detailsTool, listTool } from '#test/support/api/mcp-calls.ts';
import { plantViews } from '#test/support/api/plant-views.ts';
import { registerExampleShipments } from './mcp-example-shipments.ts';

const uris = Object.values(viewUris);
const { folder, remove } = plantViews();
const listFile = join(folder, viewFiles.shipments);

let api: TestApi;
let bare: TestApi;
beforeAll(async () => {
  api = await startTestApi({ PUBLIC_BASE_URL: 'https://track.example.test/' }, { webAppFolder: folder });
  bare = await startTestApi({}, { webAppFolder: join(folder, 'nothing') });
  await registerExampleShipments(api);
});
afterAll(async () => {
  await api.close();
  await bare.close();
  remove();
});

/** A request as clients of a revision send it. */
async function ask(revision: string, method: string, params: Record<string, Json> = {}, to = api): Promise<Json> {
  const isModern = revision === modernVersion;
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const name = params.uri ?? params.name;
  const headers = {
    'mcp-protocol-version': revision,
    ...(isModern ? { 'mcp-method': method, ...(name === undefined ? {} : { 'mcp-name': String(name) }) } : {}),
  };
  const body = { jsonrpc: '2.0', id: 1, method, params: isModern ? { ...params, _meta: meta } : params };
  return jsonOf(await to.post('/v1/mcp', body, headers));
}

describe.each([...legacyVersions, modernVersion])('in revision %s', (revision) => {
  it('lists two views and no template, and each tool names one of them', async () => {
    const { resources } = (await ask(revision, 'resources/list')).result;
    expect(resources.map(({ uri, mimeType }: Json) => [uri, mimeType])).toEqual(
      uris.map((uri) => [uri, 'text/html;profile=mcp-app']),
    );
    expect((await ask(revision, 'resources/templates/list')).result.resourceTemplates).toEqual([]);
    const { tools } = (await ask(revision, 'tools/list')).result;
    expect(tools.map(({ _meta }: Json) => _meta.ui.resourceUri)).toEqual(uris);
  });

  it('reads a view as one self-contained page that may load nothing', async () => {
    const { contents } = (await ask(revision, 'resources/read', { uri: uris[0] })).result;
    expect(contents).toMatchObject([{ uri: uris[0], mimeType: 'text/html;profile=mcp-app' }]);
    expect(contents[0]._meta.ui.csp).toEqual({ connectDomains: [], resourceDomains: [], frameDomains: [] });
    expect(contents[0].text).toContain('<meta content="https://track.example.test">');
  });

  it('has the code of its revision for an unknown address, and says when the views are not built', async () => {
    const { error } = await ask(revision, 'resources/read', { uri: 'ui://landfall/nothing' });
    expect(error.code).toBe(revision === modernVersion ? -32_602 : -32_002);
    expect(error.data).toEqual({ uri: 'ui://landfall/nothing' });
    const unbuilt = (await ask(revision, 'resources/read', { uri: uris[0] }, bare)).error;
    expect(unbuilt.code).toBe(-32_603);
    expect(unbuilt.message).toContain('npx vite build services/dashboard');
  });
});

it('rejects an address that is no text', async () => {
  for (const params of [{}, { uri: 7 }, { uri: null }, { uri: ['ui://landfall/shipments'] }])
    expect((await ask('2025-11-25', 'resources/read', params)).error.code).toBe(-32_602);
});

it('serves the file of a newer build', async () => {
  const read = async () => (await ask('2025-11-25', 'resources/read', { uri: uris[0] })).result.contents[0].text;
  await read();
  writeFileSync(listFile, 'newer');
  utimesSync(listFile, new Date(), new Date(Date.now() + 60_000));
  expect(await read()).toBe('newer');
});

it('adds to a result only data that models do not see: the records of REST', async () => {
  const called = await ask('2025-11-25', 'tools/call', {
    name: detailsTool,
    arguments: { identifier: 'MAEU512384770' },
  });
  const { content, structuredContent, _meta } = called.result;
  expect(JSON.parse(content[0].text)).toEqual(structuredContent);
  expect(structuredContent).not.toHaveProperty('eta_history');
  const viewed = _meta[viewDataKey];
  const { shipment_id: id } = structuredContent;
  expect(viewed.shipment).toEqual(await jsonOf(await api.request(`/v1/shipments/${id}`)));
  expect(viewed.shipment.eta_history.map(({ eta }: Json) => eta.local.slice(0, 10))).toEqual([
    '2026-04-12',
    '2026-04-15',
  ]);
  expect(Date.parse(viewed.as_of)).toBeGreaterThan(Date.now() - 120_000);
  const { data } = await jsonOf(await api.request('/v1/shipments?limit=100'));
  const listed = (await ask('2025-11-25', 'tools/call', { name: listTool, arguments: {} })).result;
  expect(Object.keys(listed)).toEqual(['content', 'structuredContent', '_meta']);
  const rows = listed._meta[viewDataKey];
  for (const { exceptions, ...row } of rows.shipments) {
    expect(row).toEqual(data.find(({ shipment_id }: Json) => shipment_id === row.shipment_id));
    expect(exceptions.length > 0).toBe(row.has_exception);
  }
});
