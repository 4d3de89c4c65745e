import type { Tx } from '../with-account.ts';

/** The connectors whose carrier's address the operator has configured. */
export async function readConfiguredAddresses(tx: Tx): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ connector: string }>({
    name: 'read-configured-addresses',
    text: 'select connector from landfall.carrier_addresses',
  });
  return new Set(rows.map(({ connector }) => connector));
}
