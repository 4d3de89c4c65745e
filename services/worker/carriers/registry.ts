import type { DeliveryReader } from '#shared/domain/carrier-subscriptions/carrier-subscription.ts';
import { type ConnectorCode, connectorCodes } from '#shared/domain/carriers/carrier-catalogue.ts';
import type { BudgetLimit, CarrierPush, CarrierSettings, Connector } from './carrier.ts';
import { cosco } from './cosco/cosco.ts';
import { createDcsaConnector } from './dcsa/dcsa-connector.ts';
import { cmaCgm } from './dcsa/dialects/cma-cgm.ts';
import { evergreen } from './dcsa/dialects/evergreen.ts';
import { hapagLloyd } from './dcsa/dialects/hapag-lloyd.ts';
import { hmm } from './dcsa/dialects/hmm.ts';
import { maersk } from './dcsa/dialects/maersk.ts';
import { msc } from './dcsa/dialects/msc.ts';
import { one } from './dcsa/dialects/one.ts';
import { plain } from './dcsa/dialects/plain.ts';
import { yangMing } from './dcsa/dialects/yang-ming.ts';
import { zim } from './dcsa/dialects/zim.ts';
import { dhl } from './dhl/dhl.ts';
import { fedex } from './fedex/fedex.ts';
import { gls } from './gls/gls.ts';
import { lufthansaCargo } from './lufthansa-cargo/lufthansa-cargo.ts';
import { nmftaDsdc } from './nmfta-dsdc/nmfta-dsdc.ts';
import { oneRecord } from './one-record/one-record.ts';
import { ups } from './ups/ups.ts';
import { usps } from './usps/usps.ts';

/** Every connector of the catalogue. A missing one does not compile. */
export const connectors = {
  'cma-cgm': createDcsaConnector(cmaCgm),
  evergreen: createDcsaConnector(evergreen),
  'hapag-lloyd': createDcsaConnector(hapagLloyd),
  hmm: createDcsaConnector(hmm),
  maersk: createDcsaConnector(maersk),
  msc: createDcsaConnector(msc),
  one: createDcsaConnector(one),
  'yang-ming': createDcsaConnector(yangMing),
  zim: createDcsaConnector(zim),
  'lufthansa-cargo': lufthansaCargo,
  'one-record': oneRecord,
  'nmfta-dsdc': nmftaDsdc,
  cosco,
  dhl,
  fedex,
  gls,
  ups,
  usps,
  dcsa: createDcsaConnector(plain),
} satisfies Record<ConnectorCode, Connector>;

/** The simulator needs no limit. This one keeps the budget code in use. */
const simulatorLimit: BudgetLimit = { calls: 20_000, perMs: 1000, burst: 5000 };

/** The connector's budget with these settings. */
export function budgetLimitOf(connector: ConnectorCode, settings: CarrierSettings): BudgetLimit {
  return settings.simulated ? simulatorLimit : connectors[connector].budget;
}

/** True when this release has a connector with this code. */
export function isConnectorCode(code: string): code is ConnectorCode {
  return (connectorCodes as readonly string[]).includes(code);
}

/** The push of a connector's carrier. Null: the carrier has none. */
export function pushOf(connector: ConnectorCode): CarrierPush | null {
  const { push }: Connector = connectors[connector];
  return push ?? null;
}

/** The reader of the deliveries of a connector's carrier. Null: this release has none. */
export function deliveryReaderOf(connector: string, { simulated }: { simulated: boolean }): DeliveryReader | null {
  return isConnectorCode(connector) ? (pushOf(connector)?.reader(simulated) ?? null) : null;
}
