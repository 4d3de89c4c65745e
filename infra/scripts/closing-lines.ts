import type { FirstKey } from './first-key.ts';

/** What `npm start` ends with: the address, the key, and what to paste next. */
export function closingLines(
  baseUrl: string,
  { key, operationsUrl }: { key: FirstKey; operationsUrl: string },
): string[] {
  const shellKey = shellKeyOf(key);
  const body = JSON.stringify({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU123456784' } });
  const client = {
    mcpServers: {
      landfall: {
        type: 'http',
        url: `${baseUrl}/v1/mcp`,
        headers: { Authorization: `Bearer ${key.secret && !key.file ? key.secret : '<API key>'}` },
      },
    },
  };
  return [
    '',
    `Landfall is at ${baseUrl}`,
    ...(key.claimToken === null
      ? []
      : [`Open this to own it (works once): ${linkTo('claim', baseUrl, key.claimToken)}`]),
    `Operations: ${operationsUrl}`,
    ...keyLines(key),
    '',
    'Register a shipment:',
    `curl -sS ${baseUrl}/v1/shipments -H "Authorization: Bearer ${shellKey}" -H 'Content-Type: application/json' -d '${body}'`,
    '',
    `MCP client (Claude Code, Cursor and others: ${baseUrl}/docs/mcp):`,
    JSON.stringify(client),
    '',
    'Ctrl-C stops everything; the data stays.',
  ];
}

function keyLines(key: FirstKey): string[] {
  if (key.file) return [`API key: in ${key.file}`];
  if (key.secret) return [`API key (shown only now): ${key.secret}`];
  return ['API keys: npm run keys -- create --name <name>   (put it in LANDFALL_KEY for the line below)'];
}

function shellKeyOf(key: FirstKey): string {
  if (key.file) return `$(cat '${key.file.replaceAll("'", "'\\''")}')`;
  return key.secret ?? '$LANDFALL_KEY';
}

/** A page of the dashboard that a token opens. It stands behind `#`, which browsers send nowhere. */
export function linkTo(page: 'claim' | 'reset', baseUrl: string, token: string): string {
  return `${baseUrl.replace(/\/$/, '')}/${page}#token=${token}`;
}
