import { type ConnectorCode, connectorCodes } from '#shared/domain/carrier-catalogue.ts';
import type { BudgetLimit } from './budget.ts';
import type { CarrierSettings, Connector } from './carrier.ts';
import { hapagLloyd } from './dcsa/dialects/hapag-lloyd.ts';
import { maersk } from './dcsa/dialects/maersk.ts';
import { plain } from './dcsa/dialects/plain.ts';
import { createDcsaConnector } from './dcsa/read-dcsa-events.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;

/** Every connector of the catalogue: a missing one does not compile. */
export const connectors = {
  maersk: createDcsaConnector(maersk),
  'hapag-lloyd': createDcsaConnector(hapagLloyd),
  dcsa: createDcsaConnector(plain),
} satisfies Record<ConnectorCode, Connector>;

/** Below the published limits; where a line publishes none, a guess that is set low. */
const budgetLimits = {
  maersk: { calls: 3000, perMs: hourMs, burst: 20 },
  'hapag-lloyd': { calls: 8, perMs: minuteMs, burst: 8 },
  dcsa: { calls: 30, perMs: minuteMs, burst: 30 },
} satisfies Record<ConnectorCode, BudgetLimit>;

const simulatorLimit: BudgetLimit = { calls: 1000, perMs: 1000, burst: 5000 };

/** What a connector may ask of its carrier with these settings. */
export function budgetLimitOf(connector: ConnectorCode, settings: CarrierSettings): BudgetLimit {
  return settings.simulated ? simulatorLimit : budgetLimits[connector];
}

/** Whether this release has a connector of that code. */
export function isConnectorCode(code: string): code is ConnectorCode {
  return (connectorCodes as readonly string[]).includes(code);
}
