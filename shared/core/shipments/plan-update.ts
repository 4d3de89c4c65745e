import {
  carrierHint,
  connectorFor,
  findCarrierByName,
  testConnector,
} from '#shared/domain/carriers/carrier-catalogue.ts';
import { joinDetails, LandfallError } from '#shared/domain/errors.ts';
import { isLive } from '#shared/domain/events/event-order.ts';
import type { ManualFreeDay } from '#shared/domain/events/stated-free-time.ts';
import { pushedConnector } from '#shared/domain/events-in/pushed-tracking.ts';
import { checkReferences } from '#shared/domain/record/references.ts';
import type { IdentifierKey, Shipment } from '#shared/domain/record/shipment.ts';
import { identifierWarnings } from '#shared/domain/registration/identifier-warnings.ts';
import { matchValue, matchValues, parseIdentifiers } from '#shared/domain/registration/identifiers.ts';
import { mergeStated, type ShipmentUpdate } from '#shared/domain/registration/shipment-update.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { type Openness, readOpenness } from '#shared/store/shipments/client-fields.ts';
import { readAssignee } from './assign-shipment.ts';
import type { VerbSubject } from './run-verb.ts';

/** The result of an update: the updated shipment, and which parts of it need more than its own row. */
export type UpdatePlan = {
  next: Shipment;
  connector: string;
  carrierChanged: boolean;
  identifiersChanged: boolean;
  /** An existing number has another value: what the carrier returned for the old one no longer counts. */
  corrected: boolean;
  /** Null: unchanged. */
  archived: boolean | null;
  openness: Openness;
  open: boolean;
};

const maxTags = 20;
const maxMetadataKeys = 20;
const maxMetadataBytes = 4096;

/**
 * Works out what an update changes, before anything is written. Throws what `updateShipment` throws, except for
 * conflicts with other shipments.
 */
export async function planUpdate(subject: VerbSubject, update: ShipmentUpdate): Promise<UpdatePlan> {
  const { tx, ctx, caller, shipment, polling } = subject;
  const wasArchived = shipment.archivedAt !== null;
  const archived = update.archived === undefined || update.archived === wasArchived ? null : update.archived;
  const chosen = update.carrier === undefined ? null : chooseCarrier(subject, update.carrier);
  const carried: Shipment =
    chosen === null
      ? shipment
      : {
          ...shipment,
          carrier: chosen.carrier,
          carrierName: chosen.carrierName,
          warnings: identifierWarnings(shipment.identifiers, chosen.carrier),
        };
  const numbered = update.identifiers === undefined ? carried : setIdentifiers(carried, update.identifiers);
  const { assignee } = update;
  const isAssigned = assignee !== undefined && assignee !== (shipment.assignee?.userId ?? null);
  const next: Shipment = {
    ...numbered,
    ...(isAssigned && { assignee: assignee === null ? null : await readAssignee(tx, caller.accountId, assignee) }),
    ...mergeStated(shipment, update),
    ...(update.manualFreeDays && { manualFreeDays: manualDaysOf(shipment, update.manualFreeDays) }),
    archivedAt: archived === null ? shipment.archivedAt : archived ? polling.now : null,
  };
  if (update.metadata !== undefined) checkMetadata(next.metadata);
  if (update.tagsAdd !== undefined) checkTags(next.tags);
  checkReferences(next.references);

  const identifiersChanged = numbered.identifiers !== carried.identifiers;
  if (next.archivedAt !== null && (chosen !== null || identifiersChanged)) {
    throw new LandfallError(
      'invalid_state',
      'An archived shipment keeps its identifiers and carrier. Send {"archived": false} with the update.',
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
    corrected: Object.keys(shipment.identifiers).some((key) => !isSameNumber(shipment, next, key as IdentifierKey)),
    archived,
    openness,
    open: archived === null ? openness.open : !archived && openness.mayOpen,
  };
}

/**
 * The carrier that an update names. Null: the shipment has it already. Throws LandfallError `carrier_not_supported`, or
 * `invalid_state` once a carrier has reported events.
 */
function chooseCarrier(
  subject: VerbSubject,
  sent: string,
): { carrier: string; carrierName: string; connector: string } | null {
  const { caller, shipment, polling } = subject;
  const found = findCarrierByName(sent);
  if (found?.code === shipment.carrier) return null;
  if (found === null) {
    const hint = carrierHint(sent) ?? 'See GET /v1/carriers.';
    throw carrierRefused(`Unknown carrier: ${sent}. ${hint}`);
  }
  const isPushed = polling.connector === pushedConnector;
  const polled = caller.test ? testConnector : connectorFor(found.code, shipment.transportMode);
  const isOfMode = caller.test || found.modes.includes(shipment.transportMode);
  const connector = isPushed ? (isOfMode ? pushedConnector : null) : polled;
  if (connector === null)
    throw carrierRefused(`${found.name} (${found.code}) is not supported for ${shipment.transportMode} yet.`);
  if (hasCarrierData(shipment)) {
    const detail = `${shipment.carrierName} has already reported events. Register another shipment.`;
    throw new LandfallError('invalid_state', detail);
  }
  return { carrier: found.code, carrierName: found.name, connector };
}

/** A cancellation by the client isn't carrier data. The record keeps only the newest events, but clients add few. */
function hasCarrierData({ journey }: Shipment): boolean {
  return journey.events.some((event) => event.source !== 'client');
}

/** Events that a source pushed, as EDI messages do, found the shipment by its number. */
function hasPushedEvents({ journey }: Shipment): boolean {
  return journey.events.some((event) => event.details?.sourceName !== undefined && isLive(event));
}

function isSameNumber(before: Shipment, after: Shipment, key: IdentifierKey): boolean {
  const [old, now] = [before.identifiers[key] ?? '', after.identifiers[key] ?? ''];
  return matchValues(key, old, before.carrier).stored === matchValues(key, now, before.carrier).stored;
}

/**
 * The shipment with the identifiers that were sent; the same object if it has them all. Throws LandfallError
 * `validation_failed`, `unknown_field` or `identifier_mode_mismatch` for invalid input, and `identifier_conflict` for a
 * different value once the carrier has reported events, which belong to the old one.
 */
function setIdentifiers(shipment: Shipment, raw: Record<string, unknown>): Shipment {
  const { transportMode, serviceType, test } = shipment;
  const parsed = parseIdentifiers(transportMode, raw, { serviceType, test, carrier: shipment.carrier });
  const [mistake] = parsed.mistakes;
  if (mistake !== undefined) {
    const codes = new Set(parsed.mistakes.map(({ code }) => code));
    const only = codes.size === 1 ? mistake.code : null;
    const code = only === 'identifier_mode_mismatch' || only === 'unknown_field' ? only : 'validation_failed';
    throw new LandfallError(code, mistake.detail, { mistakes: parsed.mistakes });
  }
  const sent = { ...shipment, identifiers: { ...shipment.identifiers, ...parsed.identifiers } };
  const changed = Object.keys(parsed.identifiers).filter((key) => !isSameNumber(shipment, sent, key as IdentifierKey));
  if (changed.length === 0) return shipment;
  const corrected = changed.filter((key) => shipment.identifiers[key as IdentifierKey] !== undefined);
  if (corrected.length > 0 && (hasCarrierData(shipment) || hasPushedEvents(shipment))) {
    const reporter = hasCarrierData(shipment) ? shipment.carrierName : 'A source of events';
    const detail =
      `${reporter} has already reported events for the present ${corrected.join(', ')}, so it can no ` +
      'longer be corrected. Archive this shipment and register the right number.';
    throw new LandfallError('identifier_conflict', detail, { shipmentIds: [encodeTypeId('shp', shipment.id)] });
  }
  const identifiers = Object.fromEntries(
    Object.entries(sent.identifiers).map(([key, value]) => [
      key,
      changed.includes(key) ? value : (shipment.identifiers[key as IdentifierKey] ?? value),
    ]),
  );
  return { ...shipment, identifiers, warnings: identifierWarnings(identifiers, shipment.carrier) };
}

/**
 * The days with the container numbers of the record. Throws LandfallError `validation_failed` for a container that the
 * shipment doesn't have.
 */
function manualDaysOf({ journey: { containers } }: Shipment, days: readonly ManualFreeDay[]): ManualFreeDay[] {
  const numbers = new Map(containers.map(({ number }) => [matchValue(number), number]));
  const mistakes = days.flatMap(({ container }, index) => {
    if (numbers.has(matchValue(container))) return [];
    const known = [...numbers.values()].slice(0, 5).join(', ');
    const hint = numbers.size === 0 ? 'It has no containers yet.' : `It has ${known}${numbers.size > 5 ? ', …' : ''}.`;
    const detail = `The shipment has no container ${container.slice(0, 32)}. ${hint}`;
    return [{ pointer: `/last_free_days/${index}/container`, code: 'unknown_container', detail }];
  });
  if (mistakes.length > 0) throw new LandfallError('validation_failed', joinDetails(mistakes), { mistakes });
  return days.map((day) => ({ ...day, container: numbers.get(matchValue(day.container)) ?? day.container }));
}

/** Throws LandfallError `validation_failed` when the merged metadata is too large. */
function checkMetadata(metadata: Record<string, string>): void {
  const count = Object.keys(metadata).length;
  const bytes = new TextEncoder().encode(JSON.stringify(metadata)).length;
  if (count <= maxMetadataKeys && bytes <= maxMetadataBytes) return;
  const limit = count > maxMetadataKeys ? `${maxMetadataKeys} keys` : '4 KB';
  const detail = `metadata may have at most ${limit}, including those of the shipment. Send null to remove a key.`;
  throw new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '/metadata', code: 'too_long', detail }],
  });
}

/** Throws LandfallError `validation_failed` when the merged tags are too many. */
function checkTags(tags: readonly string[]): void {
  if (tags.length <= maxTags) return;
  const detail = `A shipment may have at most ${maxTags} tags, including those that it has. Remove some with tags_remove.`;
  throw new LandfallError('validation_failed', detail, {
    mistakes: [{ pointer: '/tags_add', code: 'too_long', detail }],
  });
}

function carrierRefused(detail: string): LandfallError {
  return new LandfallError('carrier_not_supported', detail, {
    mistakes: [{ pointer: '/carrier', code: 'carrier_not_supported', detail }],
  });
}
