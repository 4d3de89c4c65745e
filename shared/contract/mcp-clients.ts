/** Something to copy: a command, a value, or the content of a file. */
export type Snippet = { name: string; language: 'sh' | 'json' | 'toml' | 'text'; text: string };

/** A link that sets the client up: it opens the client, or downloads what the client installs. */
export type InstallLink = { label: string; href: string };

/** The setup of a client. `before` and `after` may contain `code`. */
export type McpClient = {
  id: string;
  name: string;
  before: string;
  install?: InstallLink;
  snippets: readonly Snippet[];
  after?: string;
};

/** Path of the MCPB file for desktop clients on every installation. It contains neither an address nor a key. */
export const mcpbPath = '/docs/landfall.mcpb';

/** The environment variable that holds the key. A key inside a command stays in the history of the shell. */
const keyName = 'LANDFALL_KEY';
const placeholder = 'svc_live_…';

/**
 * The setup of each client that can send an API key. With a `key`, everything has it filled in: links contain it as
 * text that only the client on the same computer reads, so no server sees it. Sources (checked November 2026): the
 * command lines of Claude Code and Codex, the install links of Cursor (cursor.com/docs/mcp/install-links) and VS Code
 * (its MCP developer guide), the bundles of Claude Desktop (github.com/anthropics/mcpb), and the request headers of
 * claude.ai, available since 2026-08-31.
 */
export function mcpClients(endpoint: string, key: string | null = null): readonly McpClient[] {
  return [
    claudeCode(endpoint, key),
    claudeDesktop(endpoint, key),
    claudeAi(endpoint, key),
    cursor(endpoint, key),
    vsCode(endpoint, key),
    codex(endpoint, key),
    otherClients(endpoint, key),
  ];
}

function claudeCode(endpoint: string, key: string | null): McpClient {
  const command = {
    name: 'Terminal',
    language: 'sh',
    text:
      `claude mcp add --transport http --scope user landfall ${endpoint} ` +
      `--header "Authorization: Bearer ${key ?? `$${keyName}`}"`,
  } as const;
  const after = 'To check the connection, run `claude mcp list`, or `/mcp` in a session.';
  if (key !== null) {
    const before = 'Run this command. It contains the key, which stays in the history of your shell.';
    return { id: 'claude-code', name: 'Claude Code', before, snippets: [command], after };
  }
  return {
    id: 'claude-code',
    name: 'Claude Code',
    before: `Run this command with your key in \`${keyName}\`. \`--scope user\` adds the server to all projects.`,
    snippets: [
      command,
      {
        name: '.mcp.json, to share with a team (each member sets their own key in the environment)',
        language: 'json',
        text: mcpJson(endpoint),
      },
    ],
    after,
  };
}

function claudeDesktop(endpoint: string, key: string | null): McpClient {
  return {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    before:
      'Download the bundle and open it with Claude Desktop: double-click it, or drop it on Settings → Extensions. ' +
      'Claude Desktop asks for the address and the key, and keeps the key in the key store of your computer. Nothing ' +
      'else is needed, and addresses inside your own network work.',
    install: { label: 'Download landfall.mcpb', href: mcpbPath },
    snippets: [
      { name: 'Address', language: 'text', text: new URL(endpoint).origin },
      { name: 'API key', language: 'text', text: key ?? placeholder },
    ],
  };
}

function claudeAi(endpoint: string, key: string | null): McpClient {
  return {
    id: 'claude-ai',
    name: 'claude.ai',
    before:
      'In claude.ai, open Settings → Connectors → Add custom connector. Enter the address, and under Request headers ' +
      'a header with the name `authorization` and the value below. The connector then works in the mobile apps too. ' +
      'Request headers are available in the plans Pro, Max and Team.',
    snippets: [
      { name: 'Remote MCP server URL', language: 'text', text: endpoint },
      { name: 'Value of the header authorization', language: 'text', text: `Bearer ${key ?? placeholder}` },
    ],
    after:
      'claude.ai connects from its own servers: the address must use HTTPS and be reachable from the internet. ' +
      'Otherwise, use Claude Desktop.',
  };
}

function cursor(endpoint: string, key: string | null): McpClient {
  const server = { url: endpoint, headers: { Authorization: `Bearer ${key ?? `\${env:${keyName}}`}` } };
  const asked = 'The button opens Cursor, which asks before it adds the server.';
  return {
    id: 'cursor',
    name: 'Cursor',
    before:
      key === null
        ? `${asked} Start Cursor with \`${keyName}\` in its environment. ` +
          'By hand, use `~/.cursor/mcp.json` for all projects or `.cursor/mcp.json` for one.'
        : `${asked} It stores the key in \`~/.cursor/mcp.json\`.`,
    install: {
      label: 'Add to Cursor',
      href: `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({
        name: 'landfall',
        config: btoa(JSON.stringify(server)),
      })}`,
    },
    snippets: [{ name: 'mcp.json', language: 'json', text: json({ mcpServers: { landfall: server } }) }],
  };
}

function vsCode(endpoint: string, key: string | null): McpClient {
  const authorization = `Bearer ${key ?? `\${input:landfall-key}`}`;
  const server = { type: 'http', url: endpoint, headers: { Authorization: authorization } };
  const inputs = [{ type: 'promptString', id: 'landfall-key', description: 'Landfall API key', password: true }];
  const asked = key === null ? { inputs } : {};
  const install = JSON.stringify({ name: 'landfall', ...server, ...asked });
  return {
    id: 'vs-code',
    name: 'VS Code',
    before:
      key === null
        ? 'The button opens VS Code, which prompts for the key once and stores it encrypted. The file contains no ' +
          'secret and can be committed.'
        : 'The button opens VS Code, which asks before it adds the server. It stores the key in the `mcp.json` of ' +
          'your profile.',
    install: { label: 'Add to VS Code', href: `vscode:mcp/install?${encodeURIComponent(install)}` },
    snippets: [
      {
        name: key === null ? '.vscode/mcp.json' : 'mcp.json',
        language: 'json',
        text: json({ ...asked, servers: { landfall: server } }),
      },
    ],
  };
}

function codex(endpoint: string, key: string | null): McpClient {
  return {
    id: 'codex',
    name: 'Codex',
    before: `Codex reads the key from the environment when it starts: \`export ${keyName}=${key ?? placeholder}\`.`,
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
  };
}

function otherClients(endpoint: string, key: string | null): McpClient {
  const call = JSON.stringify({ jsonrpc: '2.0', method: 'tools/list', id: 1 });
  return {
    id: 'other-clients',
    name: 'Other clients',
    before: 'Most clients read this configuration. There is no session and no handshake: each POST gets one response.',
    snippets: [
      { name: 'MCP configuration', language: 'json', text: mcpJson(endpoint, key) },
      {
        name: 'Terminal',
        language: 'sh',
        text:
          `curl -sS ${endpoint} -H "Authorization: Bearer ${key ?? `$${keyName}`}" ` +
          `-H 'Content-Type: application/json' \\\n  -d '${call}'`,
      },
    ],
  };
}

/** The configuration that most clients read. */
export function mcpJson(endpoint: string, key: string | null = null): string {
  const authorization = `Bearer ${key ?? `\${${keyName}}`}`;
  return json({ mcpServers: { landfall: { type: 'http', url: endpoint, headers: { Authorization: authorization } } } });
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
