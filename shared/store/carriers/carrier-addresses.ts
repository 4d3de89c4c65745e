import { readRows } from '../read-rows.ts';
import type { Tx } from '../with-account.ts';

/** The connectors whose carrier's address the operator has configured. */
export async function readConfiguredAddresses(tx: Tx): Promise<ReadonlySet<string>> {
  const rows = await readRows<{ connector: string }>(tx, {
    name: 'read-configured-addresses',
    text: 'select connector from landfall.carrier_addresses',
  });
  return new Set(rows.map(({ connector }) => connector));
}

/** Stores the connectors whose carrier's address is configured, and removes the others. */
export async function announceAddresses(tx: Tx, connectors: readonly string[]): Promise<void> {
  await tx.query({
    name: 'delete-carrier-addresses',
    text: 'delete from landfall.carrier_addresses where connector <> all ($1::text[])',
    values: [connectors],
  });
  await tx.query({
    name: 'announce-carrier-addresses',
    text: `
      insert into landfall.carrier_addresses (connector)
      select connector from unnest($1::text[]) as connector order by connector
      on conflict (connector) do nothing`,
    values: [connectors],
  });
}
