export type AgentSetup = { id: string; name: string; before: string; file: string; code: string; after: string };

/** How the two clients that are met most are set up, as /docs/mcp says it too. */
export function agentSetups(endpoint: string): AgentSetup[] {
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      before: 'One command; --scope user makes it known in all your projects.',
      file: 'Terminal',
      code: `claude mcp add --transport http --scope user landfall ${endpoint} --header "Authorization: Bearer $LANDFALL_KEY"`,
      after: '“claude mcp list” shows whether it connects; in a session, /mcp does.',
    },
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      before:
        'A program on your machine brings the key: mcp-remote, which needs Node. Settings → Developer → Edit Config opens the file; restart Claude Desktop afterwards.',
      file: 'claude_desktop_config.json',
      code: JSON.stringify(
        {
          mcpServers: {
            landfall: {
              command: 'npx',
              args: [
                '-y',
                'mcp-remote',
                endpoint,
                '--header',
                `Authorization:\${AUTHORIZATION}`,
                ...plainHttpFlag(endpoint),
              ],
              env: { AUTHORIZATION: 'Bearer svc_live_…' },
            },
          },
        },
        null,
        2,
      ),
      after:
        'Put your key in place of svc_live_…. No space after Authorization: Claude Desktop on Windows would break the argument there.',
    },
  ];
}

/** `mcp-remote` sends nothing over plain http to another machine unless it is told to. */
function plainHttpFlag(endpoint: string): string[] {
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'http:' && !['localhost', '127.0.0.1'].includes(hostname) ? ['--allow-http'] : [];
}
