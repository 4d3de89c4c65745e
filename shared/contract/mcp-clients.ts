/** Something to copy: a command, or the content of a file. */
export type Snippet = { name: string; language: 'sh' | 'json' | 'toml'; text: string };

/** How to set up one client. `before` and `after` may contain `code`. */
export type McpClient = { id: string; name: string; before: string; snippets: readonly Snippet[]; after?: string };

/** The environment variable that holds the key. A key inside a command stays in the history of the shell. */
const keyName = 'LANDFALL_KEY';

/**
 * How to set up the clients that can send a key, for one endpoint: Claude Code and Codex by command line, Cursor and VS
 * Code by `mcp.json`, Claude Desktop by `mcp-remote`. Checked against the documentation of each client in November
 * 2026.
 */
export function mcpClients(endpoint: string): readonly McpClient[] {
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      before: `One command, with your key in \`${keyName}\`. \`--scope user\` makes the server available in all your projects.`,
      snippets: [
        {
          name: 'Terminal',
          language: 'sh',
          text: `claude mcp add --transport http --scope user landfall ${endpoint} --header "Authorization: Bearer $${keyName}"`,
        },
        {
          name: '.mcp.json, to share with a team: each member sets the key in the environment',
          language: 'json',
          text: mcpJson(endpoint),
        },
      ],
      after: '`claude mcp list` shows whether it connects. In a session, use `/mcp`.',
    },
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      before:
        'Its connectors sign in with OAuth, so `mcp-remote` on your machine adds the key. It needs Node. ' +
        'Settings → Developer → Edit Config opens the file. Restart Claude Desktop afterwards.',
      snippets: [
        {
          name: 'claude_desktop_config.json',
          language: 'json',
          text: json({
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
          }),
        },
      ],
      after:
        'Replace `svc_live_…` with your key. Keep `Authorization:` without a space: Claude Desktop on Windows splits the argument there.',
    },
    {
      id: 'cursor',
      name: 'Cursor',
      before: `\`~/.cursor/mcp.json\` for all projects, \`.cursor/mcp.json\` for one. Start Cursor with \`${keyName}\` in its environment.`,
      snippets: [
        {
          name: 'mcp.json',
          language: 'json',
          text: json({
            mcpServers: { landfall: { url: endpoint, headers: { Authorization: `Bearer \${env:${keyName}}` } } },
          }),
        },
      ],
    },
    {
      id: 'vs-code',
      name: 'VS Code',
      before:
        'VS Code asks for the key once and stores it encrypted. The file contains no secret and can be committed.',
      snippets: [
        {
          name: '.vscode/mcp.json',
          language: 'json',
          text: json({
            inputs: [{ type: 'promptString', id: 'landfall-key', description: 'Landfall API key', password: true }],
            servers: {
              landfall: { type: 'http', url: endpoint, headers: { Authorization: `Bearer \${input:landfall-key}` } },
            },
          }),
        },
      ],
    },
    {
      id: 'codex',
      name: 'Codex',
      before: `Codex reads the key from the environment when it starts: \`export ${keyName}=svc_live_…\`.`,
      snippets: [
        {
          name: '~/.codex/config.toml',
          language: 'toml',
          text: `[mcp_servers.landfall]\nurl = ${JSON.stringify(endpoint)}\nbearer_token_env_var = "${keyName}"`,
        },
        {
          name: 'Terminal, with the same result',
          language: 'sh',
          text: `codex mcp add landfall --url ${endpoint} --bearer-token-env-var ${keyName}`,
        },
      ],
    },
    {
      id: 'anything-else',
      name: 'Other clients',
      before: 'There is no session and no handshake. Each POST is answered by itself.',
      snippets: [
        {
          name: 'Terminal',
          language: 'sh',
          text:
            `curl -sS ${endpoint} -H "Authorization: Bearer $${keyName}" -H 'Content-Type: application/json' \\\n` +
            `  -d '${JSON.stringify({ jsonrpc: '2.0', method: 'tools/list', id: 1 })}'`,
        },
      ],
    },
  ];
}

/** The configuration that most clients read. */
export function mcpJson(endpoint: string): string {
  return json({
    mcpServers: { landfall: { type: 'http', url: endpoint, headers: { Authorization: `Bearer \${${keyName}}` } } },
  });
}

/** `mcp-remote` refuses plain HTTP to another machine without this flag. */
function plainHttpFlag(endpoint: string): string[] {
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'http:' && !['localhost', '127.0.0.1'].includes(hostname) ? ['--allow-http'] : [];
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
