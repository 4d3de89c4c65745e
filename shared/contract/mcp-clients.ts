/** Something to copy: a command or the content of a file. */
export type Snippet = { name: string; language: 'sh' | 'json' | 'toml'; text: string };

/** The setup of a client. `before` and `after` may contain `code`. */
export type McpClient = { id: string; name: string; before: string; snippets: readonly Snippet[]; after?: string };

/** The environment variable that holds the key. A key inside a command stays in the history of the shell. */
const keyName = 'LANDFALL_KEY';

/**
 * The setup of each client that can send an API key. Sources (checked November 2026): the command lines of Claude Code
 * and Codex, the documentation of `mcp.json` for Cursor and VS Code, and the README of `mcp-remote` for Claude Desktop.
 */
export function mcpClients(endpoint: string): readonly McpClient[] {
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      before: `Run this command with your key in \`${keyName}\`. \`--scope user\` adds the server to all projects.`,
      snippets: [
        {
          name: 'Terminal',
          language: 'sh',
          text:
            `claude mcp add --transport http --scope user landfall ${endpoint} ` +
            `--header "Authorization: Bearer $${keyName}"`,
        },
        {
          name: '.mcp.json, to share with a team (each member sets their own key in the environment)',
          language: 'json',
          text: mcpJson(endpoint),
        },
      ],
      after: 'To check the connection, run `claude mcp list`, or `/mcp` in a session.',
    },
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      before:
        'Connectors in Claude Desktop require OAuth. Use the local program `mcp-remote` to send the key; it requires ' +
        'Node.js. Open the file with Settings → Developer → Edit Config, and restart Claude Desktop afterwards.',
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
        'Replace `svc_live_…` with your key. `Authorization:` is not followed by a space, because Claude Desktop on ' +
        'Windows would split the argument there.',
    },
    {
      id: 'cursor',
      name: 'Cursor',
      before:
        'Use `~/.cursor/mcp.json` for all projects or `.cursor/mcp.json` for one. ' +
        `Start Cursor with \`${keyName}\` in its environment.`,
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
        'VS Code prompts for the key once and stores it encrypted. The file contains no secret and can be committed.',
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
          name: 'Or run this command',
          language: 'sh',
          text: `codex mcp add landfall --url ${endpoint} --bearer-token-env-var ${keyName}`,
        },
      ],
    },
    {
      id: 'anything-else',
      name: 'Other clients',
      before: 'There is no session and no handshake: each POST gets one response.',
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

/** `mcp-remote` refuses plain HTTP to other machines without this flag. */
function plainHttpFlag(endpoint: string): string[] {
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'http:' && !['localhost', '127.0.0.1'].includes(hostname) ? ['--allow-http'] : [];
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
