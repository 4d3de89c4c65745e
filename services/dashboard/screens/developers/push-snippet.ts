/** A row that the API accepts as it is: a container that the terminal discharged, by the number of its shipment. */
export const pushedRow = {
  source_name: 'acme-terminal',
  external_id: 'move-48151623',
  shipment: { container: 'MSKU1234565' },
  code: 'discharged',
  time: { local: '2026-04-15T13:20', timezone: 'America/Los_Angeles' },
  location: { unlocode: 'USLAX' },
  container: 'MSKU1234565',
  holds: [{ type: 'customs', status: 'active', detail: 'X-ray exam' }],
} as const;

/** The request that pushes one event, found by the number of its shipment. */
export function pushSnippet(baseUrl: string): string {
  const json = JSON.stringify({ events: [pushedRow] }, null, 2)
    .split('\n')
    .map((line, index) => (index === 0 ? line : `    ${line}`))
    .join('\n');
  return `curl ${baseUrl}/v1/events/batch \\\n  -H "Authorization: Bearer $LANDFALL_KEY" \\\n  --json '${json}'`;
}
