import { expect, it } from 'vitest';
import { codeTokens } from '#services/dashboard/parts/code-tokens.ts';
import { expiresAt } from '#services/dashboard/screens/configuration/keys/key-state.ts';
import { longScopes, shortScopes } from '#services/dashboard/screens/configuration/keys/scope-words.ts';
import { curlSnippet, mcpSnippet } from '#services/dashboard/screens/configuration/keys/snippets.ts';
import { scopes } from '#shared/domain/caller.ts';

const baseUrl = 'https://track.nordwind.example';

it('the first request is one that the key may make', () => {
  expect(curlSnippet({ baseUrl, test: false, scopes: ['shipments:read', 'shipments:write'] })).toContain('--json');
  expect(curlSnippet({ baseUrl, test: false, scopes: ['shipments:read'] })).toContain(
    `${baseUrl}/v1/shipments?limit=5`,
  );
  expect(curlSnippet({ baseUrl, test: false, scopes: ['keys:manage'] })).toContain(`${baseUrl}/v1/api-keys`);
  expect(curlSnippet({ baseUrl, test: false, scopes: ['carriers:manage'] })).toContain(`${baseUrl}/v1/me`);
});

it('a test key’s first request registers a test number', () => {
  expect(curlSnippet({ baseUrl, test: true, scopes: ['shipments:write'] })).toContain('TEST-IN-TRANSIT');
});

it('the body that curl sends is JSON', () => {
  const [, body = ''] =
    /--json '(.*)'$/s.exec(curlSnippet({ baseUrl, test: false, scopes: ['shipments:write'] })) ?? [];
  expect(JSON.parse(body)).toEqual({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU263944107' } });
});

it('the configuration for MCP is JSON, names this installation and holds no secret', () => {
  expect(JSON.parse(mcpSnippet({ baseUrl, scopes: ['shipments:read'] }) ?? '')).toEqual({
    mcpServers: {
      landfall: { type: 'http', url: `${baseUrl}/v1/mcp`, headers: { Authorization: `Bearer \${LANDFALL_KEY}` } },
    },
  });
});

it('a key that may not read shipments is offered no MCP', () => {
  expect(mcpSnippet({ baseUrl, scopes: ['keys:manage'] })).toBeNull();
});

it('code is shown whole, whatever is highlighted in it', () => {
  for (const code of [
    curlSnippet({ baseUrl, test: false, scopes: ['shipments:write'] }),
    mcpSnippet({ baseUrl, scopes: ['shipments:read'] }) ?? '',
    '',
    '$LANDFALL_KEY',
    'a -b "c": d --e',
  ]) {
    expect(
      codeTokens(code)
        .map(({ text }) => text)
        .join(''),
    ).toBe(code);
  }
  expect(codeTokens('x $LANDFALL_KEY').at(-1)).toEqual({ text: '$LANDFALL_KEY', tone: 'key' });
});

it('scopes are said in words, one that is not known as it is', () => {
  expect(shortScopes(['shipments:read', 'shipments:write'])).toBe('Read, write');
  expect(shortScopes(['shipments:read', 'robots:dance'])).toBe('Read, robots:dance');
  expect(shortScopes(scopes)).toBe('Everything');
  expect(longScopes(['shipments:read', 'shipments:write'])).toBe('read shipments, register and change shipments');
});

it('an expiry counts from now, or to the end of a day that lies ahead', () => {
  const now = Date.parse('2026-04-15T12:00:00Z');
  expect(expiresAt('never', '', now)).toBeNull();
  expect(expiresAt('7d', '', now)).toBe('2026-04-22T12:00:00.000Z');
  expect(Date.parse(expiresAt('date', '2027-04-15', now) ?? '')).toBe(new Date('2027-04-15T23:59:59').getTime());
  expect(() => expiresAt('date', '2026-04-01', now)).toThrow(RangeError);
  expect(() => expiresAt('date', '', now)).toThrow(RangeError);
});
