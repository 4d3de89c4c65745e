/** What somebody copies: a command, or the content of a file. */
export type Snippet = { name: string; language: 'sh' | 'json' | 'toml'; text: string };

/** How one client is set up. `before` and `after` may hold `code`. */
export type McpClient = { id: string; name: string; before: string; snippets: readonly Snippet[]; after?: string };

const keyName = 'LANDFALL_KEY';

/**
 * The set-ups of the clients that can send a key, for one address. What each reads is in its own documentation (checked November 2026): Claude
 * Code and Codex with their command lines, Cursor's and VS Code's `mcp.json`, and for Claude Desktop the README of `mcp-remote`.
 */
export function mcpClients(endpoint: string): readonly McpClient[] {
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      before: `One command, with your key in \`${keyName}\`; \`--scope user\` makes it known in all your projects.`,
      snippets: [
        {
          name: 'Terminal',
          language: 'sh',
          text: `claude mcp add --transport http --scope user landfall ${endpoint} --header "Authorization: Bearer $${keyName}"`,
        },
        {
          name: '.mcp.json, to share with a team: each brings a key in the environment',
          language: 'json',
          text: json({
            mcpServers: {
              landfall: { type: 'http', url: endpoint, headers: { Authorization: `Bearer \${${keyName}}` } },
            },
          }),
        },
      ],
      after: '`claude mcp list` shows whether it connects; in a session, `/mcp` does.',
    },
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      before:
        'Its connectors sign in with OAuth, so a program on your machine brings the key: `mcp-remote`, which needs Node. ' +
        'Settings → Developer → Edit Config opens the file; restart Claude Desktop afterwards.',
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
        'Put your key in place of `svc_live_…`. There is no space after `Authorization:` because Claude Desktop on Windows would break the argument there.',
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
      before: 'VS Code asks for the key once and keeps it encrypted. The file holds no secret and can be committed.',
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
          name: 'Or in a terminal, which writes the same',
          language: 'sh',
          text: `codex mcp add landfall --url ${endpoint} --bearer-token-env-var ${keyName}`,
        },
      ],
    },
    {
      id: 'anything-else',
      name: 'Anything else',
      before: 'No session and no handshake: one POST is one answer.',
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

/** `mcp-remote` sends nothing over plain HTTP to another machine unless it is told to. */
function plainHttpFlag(endpoint: string): string[] {
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'http:' && !['localhost', '127.0.0.1'].includes(hostname) ? ['--allow-http'] : [];
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
