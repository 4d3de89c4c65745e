import type { FirstKey } from './first-key.ts';

/** Returns the last lines of `npm start`: the address, the claim link, the key, and the text to paste next. */
export function closingLines(place: { publicBaseUrl: string; operationsUrl: string; key: FirstKey }): string[] {
  const { publicBaseUrl, operationsUrl, key } = place;
  const body = JSON.stringify({ transport_mode: 'ocean', carrier: 'MAEU', identifiers: { mbl: 'MAEU123456784' } });
  const client = {
    mcpServers: {
      landfall: {
        type: 'http',
        url: `${publicBaseUrl}/v1/mcp`,
        headers: { Authorization: `Bearer ${key.secret && !key.file ? key.secret : '<API key>'}` },
      },
    },
  };
  return [
    '',
    `Landfall is at ${publicBaseUrl}`,
    ...accessLines(key),
    `Operations: ${operationsUrl}`,
    '',
    'Register a shipment:',
    `curl -sS ${publicBaseUrl}/v1/shipments -H "Authorization: Bearer ${shellKeyOf(key)}" ` +
      `-H 'Content-Type: application/json' -d '${body}'`,
    '',
    `Connect an MCP client (Claude Code, Cursor and others: ${publicBaseUrl}/docs/mcp):`,
    JSON.stringify(client),
    '',
    'Press Ctrl-C to stop. The data is kept.',
  ];
}

/** Returns the lines about access: the claim link until it has been used, and the API key. */
export function accessLines({ claimLink, claimFile, file, secret }: FirstKey): string[] {
  const claim = claimFile === null ? claimLink : `stored in ${claimFile}`;
  const claimLines = claim === null ? [] : [`Claim link (creates the first owner, works once): ${claim}`];
  if (file) return [...claimLines, `API key: stored in ${file}`];
  if (secret) return [...claimLines, `API key (shown only once): ${secret}`];
  return [...claimLines, 'API key: create one with npm run keys -- create --name <name>, then set LANDFALL_KEY to it'];
}

function shellKeyOf(key: FirstKey): string {
  if (key.file) return `$(cat '${key.file.replaceAll("'", "'\\''")}')`;
  return key.secret ?? '$LANDFALL_KEY';
}
