import { type ConnectorCode, connectorCodes } from '#shared/domain/carrier-catalogue.ts';
import type { BudgetLimit, CarrierSettings, Connector } from './carrier.ts';
import { hapagLloyd } from './dcsa/dialects/hapag-lloyd.ts';
import { maersk } from './dcsa/dialects/maersk.ts';
import { plain } from './dcsa/dialects/plain.ts';
import { createDcsaConnector } from './dcsa/read-dcsa-events.ts';

/** Every connector of the catalogue: a missing one does not compile. */
export const connectors = {
  maersk: createDcsaConnector(maersk),
  'hapag-lloyd': createDcsaConnector(hapagLloyd),
  dcsa: createDcsaConnector(plain),
} satisfies Record<ConnectorCode, Connector>;

/** The simulator is ours: its limit only keeps the machinery of budgets in use. */
const simulatorLimit: BudgetLimit = { calls: 20_000, perMs: 1000, burst: 5000 };

/** What a connector may ask of its carrier with these settings. */
export function budgetLimitOf(connector: ConnectorCode, settings: CarrierSettings): BudgetLimit {
  return settings.simulated ? simulatorLimit : connectors[connector].budget;
}

/** Whether this release has a connector of that code. */
export function isConnectorCode(code: string): code is ConnectorCode {
  return (connectorCodes as readonly string[]).includes(code);
}
