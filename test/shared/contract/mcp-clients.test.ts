import { describe, expect, it } from 'vitest';
import { mcpClients } from '#shared/contract/mcp-clients.ts';

const endpoint = 'https://track.example/v1/mcp';
const key = 'svc_live_0123456789abcdef';

const linkOf = (id: string, secret: string | null = null, at = endpoint): URL =>
  new URL(mcpClients(at, secret).find((client) => client.id === id)?.install?.href ?? '');

describe('the install link of Cursor', () => {
  it.each([
    [key, `Bearer ${key}`],
    [null, `Bearer \${env:LANDFALL_KEY}`],
  ])('opens its installer with the configuration of the server (key: %s)', (secret, authorization) => {
    const { protocol, host, pathname, searchParams } = linkOf('cursor', secret);
    expect({ protocol, host, pathname }).toEqual({
      protocol: 'cursor:',
      host: 'anysphere.cursor-deeplink',
      pathname: '/mcp/install',
    });
    expect(searchParams.get('name')).toBe('landfall');
    const config = Buffer.from(searchParams.get('config') ?? '', 'base64').toString('utf8');
    expect(JSON.parse(config)).toEqual({ url: endpoint, headers: { Authorization: authorization } });
  });

  it('survives a base64 text with characters that a query gives another meaning', () => {
    for (let length = 0; length < 40; length++) {
      const at = `https://track.example/${'~'.repeat(length)}?>/v1/mcp`;
      const config = linkOf('cursor', `svc_live_${'?>~'.repeat(length)}`, at).searchParams.get('config') ?? '';
      expect(JSON.parse(Buffer.from(config, 'base64').toString('utf8')).url).toBe(at);
    }
  });
});

describe('the install link of VS Code', () => {
  const decoded = (secret: string | null) => {
    const { protocol, pathname, search } = linkOf('vs-code', secret);
    expect([protocol, pathname]).toEqual(['vscode:', 'mcp/install']);
    return JSON.parse(decodeURIComponent(search.slice(1)));
  };

  it('adds the server with the key', () => {
    expect(decoded(key)).toEqual({
      name: 'landfall',
      type: 'http',
      url: endpoint,
      headers: { Authorization: `Bearer ${key}` },
    });
  });

  it('prompts for the key, as a password, where none is filled in', () => {
    const { inputs, headers } = decoded(null);
    expect(inputs).toEqual([
      { type: 'promptString', id: 'landfall-key', description: 'Landfall API key', password: true },
    ]);
    expect(headers).toEqual({ Authorization: `Bearer \${input:landfall-key}` });
  });
});

it('never puts a key into an address that a server sees', () => {
  for (const { install } of mcpClients(endpoint, key)) {
    if (install === undefined) continue;
    if (/^(?:cursor|vscode):/.test(install.href)) expect(install.href).not.toMatch(/^\w+:\/\/[^/]*track\.example/);
    else expect(install.href).toBe('/docs/landfall.mcpb');
  }
});

it('fills the key in for every client, and adds none to the name without a key', () => {
  for (const client of mcpClients(endpoint, key)) expect(JSON.stringify(client)).toContain(key);
  expect(JSON.stringify(mcpClients(endpoint))).not.toMatch(/svc_live_[a-z0-9]/);
});

it('adds the server to Claude Code with one line', () => {
  const [claudeCode] = mcpClients(endpoint, key);
  expect(claudeCode?.snippets.map(({ text }) => text)).toEqual([
    `claude mcp add --transport http --scope user landfall ${endpoint} --header "Authorization: Bearer ${key}"`,
  ]);
});
