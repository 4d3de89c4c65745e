import { metadataPaths, oauthMcpPath } from '#shared/domain/apps/app.ts';

/** The metadata of the protected resource (RFC 9728). `issuer` is its own address. */
export function resourceMetadata(issuer: string): Record<string, unknown> {
  const origin = new URL(issuer).origin;
  return {
    resource: issuer,
    authorization_servers: [issuer],
    // Not `offline_access`: the client needs it of the authorization server, and not of the resource.
    scopes_supported: ['shipments:read'],
    bearer_methods_supported: ['header'],
    resource_name: 'Landfall',
    resource_documentation: `${origin}/docs/mcp`,
  };
}

/** More parameters of the `Bearer` challenge: where that metadata is (RFC 9728, 5.1), and the scope to ask for. */
export function bearerHintOf(issuer: string): string {
  const address = new URL(issuer).origin + metadataPaths.resource;
  if (!address.endsWith(oauthMcpPath)) throw new Error('the metadata is at another address');
  return `, resource_metadata="${address}", scope="shipments:read"`;
}
