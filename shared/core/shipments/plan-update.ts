import { connectorFor, findCarrier, nearestCarrier, testConnector } from '#shared/domain/carriers/carrier-catalogue.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { parseIdentifiers } from '#shared/domain/registration/identifiers.ts';
import type { Shipment } from '#shared/domain/shipments/shipment.ts';
import { mergeMetadata, type ShipmentUpdate } from '#shared/domain/shipments/shipment-update.ts';
import { type Openness, readOpenness } from '#shared/store/shipments/client-fields.ts';
import { lackingIdentifiers } from '../registration/join-shipment.ts';
import type { VerbSubject } from './run-verb.ts';

/** What an update comes to: the shipment as it shall be, and which parts of it need more than its own row. */
export type UpdatePlan = {
  next: Shipment;
  connector: string;
  carrierChanged: boolean;
  identifiersChanged: boolean;
  /** Null: stays as it is. */
  archived: boolean | null;
  openness: Openness;
  open: boolean;
};

const maxMetadataKeys = 20;
const maxMetadataBytes = 4096;

/**
 * Works out what an update changes, before anything is written. Throws LandfallError as `updateShipment` does, but for conflicts
 * with other shipments.
 */
export async function planUpdate(subject: VerbSubject, update: ShipmentUpdate): Promise<UpdatePlan> {
  const { tx, ctx, caller, shipment, polling } = subject;
  const wasArchived = shipment.archivedAt !== null;
  const archived = update.archived === undefined || update.archived === wasArchived ? null : update.archived;
  const chosen = update.carrier === undefined ? null : chooseCarrier(subject, update.carrier);
  const carried: Shipment =
    chosen === null ? shipment : { ...shipment, carrier: chosen.carrier, carrierName: chosen.carrierName };
  const numbered = update.identifiers === undefined ? carried : addIdentifiers(carried, update.identifiers);
  const next: Shipment = {
    ...numbered,
    reference: update.reference === undefined ? shipment.reference : update.reference,
    tags: update.tags ?? shipment.tags,
    metadata: mergeMetadata(shipment.metadata, update.metadata),
    destinationPostalCode:
      update.destinationPostalCode === undefined ? shipment.destinationPostalCode : update.destinationPostalCode,
    archivedAt: archived === null ? shipment.archivedAt : archived ? polling.now : null,
  };
  if (update.metadata !== undefined) checkMetadata(next.metadata);

  const identifiersChanged = numbered.identifiers !== carried.identifiers;
  if (next.archivedAt !== null && (chosen !== null || identifiersChanged)) {
    throw new LandfallError(
      'invalid_state',
      'Identifiers and carrier of an archived shipment stay; send {"archived": false} with them.',
    );
  }
  const { openAfterClosingDays } = ctx.settings;
  const openness = await readOpenness(tx, caller.accountId, {
    shipmentId: shipment.id,
    openDaysAfterClosing: openAfterClosingDays,
  });
  return {
    next,
    connector: chosen?.connector ?? polling.connector,
    carrierChanged: chosen !== null,
    identifiersChanged,
    archived,
    openness,
    open: archived === null ? openness.open : !archived && openness.mayOpen,
  };
}

/**
 * The carrier that an update names, or null when it is the one the shipment has. Throws LandfallError `carrier_not_supported`, or
 * `invalid_state` once a carrier has given events.
 */
function chooseCarrier(
  subject: VerbSubject,
  sent: string,
): { carrier: string; carrierName: string; connector: string } | null {
  const { caller, shipment } = subject;
  const found = findCarrier(sent);
  if (found?.code === shipment.carrier) return null;
  if (found === null) {
    const nearest = nearestCarrier(sent);
    const hint =
      nearest === null ? 'see the carriers that this service knows' : `did you mean ${nearest.code} (${nearest.name})?`;
    throw carrierRefused(`${sent} is not a known carrier; ${hint}`);
  }
  const connector = caller.test ? testConnector : connectorFor(found.code, shipment.transportMode);
  if (connector === null)
    throw carrierRefused(`${found.name} (${found.code}) cannot be followed by ${shipment.transportMode} yet`);
  // The client's own word about a cancellation is no data of the carrier. The record keeps the newest events; a client gives few.
  if (shipment.journey.events.some((event) => event.source !== 'client')) {
    const detail = `${shipment.carrierName} has given events already; register another shipment for another carrier.`;
    throw new LandfallError('invalid_state', detail);
  }
  return { carrier: found.code, carrierName: found.name, connector };
}

/**
 * The shipment with the identifiers it lacked; the same shipment when it lacked none. Throws LandfallError `validation_failed`,
 * `unknown_field` or `identifier_mode_mismatch` for what cannot be read, `identifier_conflict` when one it has differs.
 */
function addIdentifiers(shipment: Shipment, raw: Record<string, unknown>): Shipment {
  const { transportMode, serviceType, test } = shipment;
  const parsed = parseIdentifiers(transportMode, raw, { serviceType, test, carrier: shipment.carrier });
  const [mistake] = parsed.mistakes;
  if (mistake !== undefined) {
    const codes = new Set(parsed.mistakes.map(({ code }) => code));
    const only = codes.size === 1 ? mistake.code : null;
    const code = only === 'identifier_mode_mismatch' || only === 'unknown_field' ? only : 'validation_failed';
    throw new LandfallError(code, mistake.detail, { mistakes: parsed.mistakes });
  }
  const added = lackingIdentifiers(shipment, { ...parsed, carrier: shipment.carrier });
  if (added.length === 0) return shipment;
  const news = parsed.warnings.filter((warning) => added.some(({ key }) => warning.field === `identifiers.${key}`));
  return {
    ...shipment,
    identifiers: { ...shipment.identifiers, ...Object.fromEntries(added.map(({ key, value }) => [key, value])) },
    warnings: [...shipment.warnings, ...news],
  };
}

/** Throws LandfallError `validation_failed` when there is too much of it after merging. */
function checkMetadata(metadata: Record<string, string>): void {
  const count = Object.keys(metadata).length;
  const bytes = new TextEncoder().encode(JSON.stringify(metadata)).length;
  if (count <= maxMetadataKeys && bytes <= maxMetadataBytes) return;
  const limit = count > maxMetadataKeys ? `${maxMetadataKeys} keys` : '4 KB';
  const detail = `metadata may have at most ${limit} together with what the shipment has; remove a key by sending null for it`;
  throw new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '/metadata', code: 'too_long', detail }],
  });
}

function carrierRefused(detail: string): LandfallError {
  return new LandfallError('carrier_not_supported', detail, {
    mistakes: [{ pointer: '/carrier', code: 'carrier_not_supported', detail }],
  });
}
