import { expect, it } from 'vitest';
import { codeTokens } from '#services/dashboard/parts/code-block.tsx';
import { expiresAt } from '#services/dashboard/screens/configuration/keys/key-state.ts';
import { longScopes, shortScopes } from '#services/dashboard/screens/configuration/keys/scope-words.ts';
import { curlSnippet } from '#services/dashboard/screens/configuration/keys/snippets.ts';
import { pushedRow, pushSnippet } from '#services/dashboard/screens/developers/push-snippet.ts';
import { batchEventRow } from '#shared/contract/events-in/event-row-body.ts';
import { mcpJson } from '#shared/contract/mcp-clients.ts';
import { scopes } from '#shared/domain/caller.ts';

const baseUrl = 'https://track.nordwind.example';

it('shows a first request that the key is allowed to send', () => {
  expect(curlSnippet({ baseUrl, test: false, scopes: ['shipments:read', 'shipments:write'] })).toContain('--json');
  expect(curlSnippet({ baseUrl, test: false, scopes: ['shipments:read'] })).toContain(
    `${baseUrl}/v1/shipments?limit=5`,
  );
  expect(curlSnippet({ baseUrl, test: false, scopes: ['keys:manage'] })).toContain(`${baseUrl}/v1/api-keys`);
  expect(curlSnippet({ baseUrl, test: false, scopes: ['carriers:manage'] })).toContain(`${baseUrl}/v1/me`);
});

it('registers a test number with a test key', () => {
  expect(curlSnippet({ baseUrl, test: true, scopes: ['shipments:write'] })).toContain('TEST-IN-TRANSIT');
});

it('sends JSON with curl', () => {
  const [, body = ''] =
    /--json '(.*)'$/s.exec(curlSnippet({ baseUrl, test: false, scopes: ['shipments:write'] })) ?? [];
  expect(JSON.parse(body)).toEqual({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU263944107' } });
});

it('preserves the text of highlighted code', () => {
  for (const code of [
    curlSnippet({ baseUrl, test: false, scopes: ['shipments:write'] }),
    mcpJson(`${baseUrl}/v1/mcp`),
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

it('names scopes, and shows an unknown one as it is', () => {
  expect(shortScopes(['shipments:read', 'shipments:write'])).toBe('Read, write');
  expect(shortScopes(['shipments:read', 'robots:dance'])).toBe('Read, robots:dance');
  expect(shortScopes(scopes)).toBe('All');
  expect(longScopes(['shipments:read', 'shipments:write'])).toBe('read shipments, register and change shipments');
});

it('computes an expiry from now, or to the end of a future day', () => {
  const now = Date.parse('2026-04-15T12:00:00Z');
  expect(expiresAt('never', '', now)).toBeNull();
  expect(expiresAt('7d', '', now)).toBe('2026-04-22T12:00:00.000Z');
  expect(Date.parse(expiresAt('date', '2027-04-15', now) ?? '')).toBe(new Date('2027-04-15T23:59:59').getTime());
  expect(() => expiresAt('date', '2026-04-01', now)).toThrow(RangeError);
  expect(() => expiresAt('date', '', now)).toThrow(RangeError);
});

it('shows a pushed event that the API accepts', () => {
  expect(batchEventRow.safeParse(pushedRow).error).toBeUndefined();
  const snippet = pushSnippet(baseUrl);
  expect(snippet).toContain(`${baseUrl}/v1/events/batch`);
  expect(JSON.parse(snippet.slice(snippet.indexOf("'") + 1, snippet.lastIndexOf("'")))).toEqual({
    events: [pushedRow],
  });
});
