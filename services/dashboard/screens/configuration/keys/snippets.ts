type Use = { baseUrl: string; test: boolean; scopes: readonly string[] };

/** A first request that this key may make: what it is for, and in a test key's case nothing of the world. */
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

/** The configuration that most MCP clients read. Null for a key that may not read shipments, which MCP is for. */
export function mcpSnippet({ baseUrl, scopes }: Omit<Use, 'test'>): string | null {
  if (!scopes.includes('shipments:read')) return null;
  return [
    '{"mcpServers": {"landfall": {',
    '  "type": "http",',
    `  "url": "${baseUrl}/v1/mcp",`,
    `  "headers": {"Authorization": "Bearer \${LANDFALL_KEY}"}}}}`,
  ].join('\n');
}
