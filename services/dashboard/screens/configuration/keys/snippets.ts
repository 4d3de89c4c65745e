import { mcpJson } from '#shared/contract/mcp-clients.ts';

type Use = { baseUrl: string; test: boolean; scopes: readonly string[] };

/** A first request that the scopes of the key allow. With a test key it registers a test number. */
export function curlSnippet({ baseUrl, test, scopes }: Use): string {
  const authorization = `-H "Authorization: Bearer $LANDFALL_KEY"`;
  if (scopes.includes('shipments:write')) {
    const number = test ? 'TEST-IN-TRANSIT' : 'MAEU263944107';
    return [
      `curl ${baseUrl}/v1/shipments \\`,
      `  ${authorization} \\`,
      `  --json '{"transport_mode": "ocean", "carrier": "MAEU",`,
      `           "identifiers": {"mbl": "${number}"}}'`,
    ].join('\n');
  }
  const path = scopes.includes('shipments:read')
    ? '/v1/shipments?limit=5'
    : scopes.includes('keys:manage')
      ? '/v1/api-keys'
      : '/v1/me';
  return `curl '${baseUrl}${path}' \\\n  ${authorization}`;
}

/** The MCP configuration that most clients read. Null for a key that can’t read shipments. */
export function mcpSnippet({ baseUrl, scopes }: Omit<Use, 'test'>): string | null {
  return scopes.includes('shipments:read') ? mcpJson(`${baseUrl}/v1/mcp`) : null;
}
