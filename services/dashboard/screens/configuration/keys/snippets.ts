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
