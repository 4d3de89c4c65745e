import { serverInfo } from '../mcp/call-tool.ts';
import { protocolVersions } from '../mcp/protocol-versions.ts';

/** The media type of SEP-2127. */
export const serverCardType = 'application/mcp-server-card+json';

/**
 * The server card of SEP-2127 (`schema.ts` and `docs/discovery.md` of modelcontextprotocol/experimental-ext-server-card,
 * schema v1): where the server is and how to connect. Public, so nothing in it is secret: it says that a key is needed
 * and contains none. By design it lists no tools.
 */
export function serverCard(baseUrl: string): string {
  const card = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${namespaceOf(new URL(baseUrl).hostname)}/${serverInfo.name}`,
    version: serverInfo.version,
    title: serverInfo.title,
    description: 'Search and read tracked shipments: status, position, ETA and delays.',
    websiteUrl: `${baseUrl}/docs/mcp`,
    remotes: [
      {
        type: 'streamable-http',
        url: `${baseUrl}/v1/mcp`,
        headers: [
          {
            name: 'Authorization',
            description: 'An API key of this installation with the scope shipments:read.',
            isRequired: true,
            isSecret: true,
            value: 'Bearer {api_key}',
            variables: {
              api_key: { description: 'API key', isRequired: true, isSecret: true, placeholder: 'svc_live_…' },
            },
          },
        ],
        supportedProtocolVersions: protocolVersions,
      },
    ],
  };
  return `${JSON.stringify(card, null, 2)}\n`;
}

/** Installations are servers of their own, so a name begins with the host, in reverse as names in DNS are. */
function namespaceOf(hostname: string): string {
  if (/^[\d.]+$/.test(hostname) || hostname.startsWith('[')) return 'localhost';
  return hostname.split('.').toReversed().join('.');
}
