/**
 * The manifest of the MCPB file, version 0.3 of https://github.com/anthropics/mcpb. The program that installs the
 * file asks for the address and the key, and keeps the key in the key store of the operating system: the file
 * itself holds neither.
 */
export function desktopManifest(version: string) {
  return {
    manifest_version: '0.3',
    name: 'landfall',
    display_name: 'Landfall',
    version,
    description: 'Search and read your shipments in Landfall.',
    long_description:
      'Connects to the Landfall installation whose address you enter, with the API key that you enter. Read-only. ' +
      'The key needs the scope `shipments:read`.',
    author: { name: 'Landfall' },
    license: 'Apache-2.0',
    keywords: ['shipments', 'tracking', 'logistics', 'freight'],
    server: {
      type: 'node',
      entry_point: 'server/index.js',
      mcp_config: {
        command: 'node',
        // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the installing program fills them in
        args: ['${__dirname}/server/index.js'],
        env: { LANDFALL_ADDRESS: '${user_config.address}', LANDFALL_KEY: '${user_config.api_key}' },
        // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the installing program fills them in
      },
    },
    tools: [
      { name: 'list_shipments_summary', description: 'Search, filter and count shipments.' },
      { name: 'get_shipment_details', description: 'Read one shipment by any of its numbers.' },
    ],
    user_config: {
      address: {
        type: 'string',
        title: 'Address',
        description: 'Where you open Landfall in the browser, such as https://track.example.com',
        required: true,
      },
      api_key: {
        type: 'string',
        title: 'API key',
        description: 'svc_live_… from Configuration → API keys. Use a separate key with “Read shipments” only.',
        sensitive: true,
        required: true,
      },
    },
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20.0.0' } },
  } as const;
}
