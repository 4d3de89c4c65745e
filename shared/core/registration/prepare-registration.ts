import type { Caller } from '#shared/domain/caller.ts';
import {
  type Carrier,
  carrierHint,
  carriers,
  connectorFor,
  findCarrierByName,
  testConnector,
} from '#shared/domain/carriers/carrier-catalogue.ts';
import { type ErrorCode, type InputMistake, joinDetails, LandfallError } from '#shared/domain/errors.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';
import { pushedConnector } from '#shared/domain/events-in/pushed-tracking.ts';
import { allReferences, referenceMistakes } from '#shared/domain/record/references.ts';
import type { Registration, Warning } from '#shared/domain/record/shipment.ts';
import { statedOf } from '#shared/domain/record/stated-fields.ts';
import {
  type IdentifierEntry,
  identifierEntries,
  type ParsedIdentifiers,
  parseIdentifiers,
  trackableKeysOf,
} from '#shared/domain/registration/identifiers.ts';
import type { SentRegistration } from '#shared/domain/registration/sent-registration.ts';

/** A valid registration with everything that is known about it without the database. */
export type PreparedRegistration = {
  registration: Registration;
  /** Its identifiers as they are stored and compared. */
  entries: readonly IdentifierEntry[];
  carrierName: string;
  connector: string;
  /** Of pushed tracking. Null: the carrier is polled. */
  staleAfterHours: number | null;
  warnings: Warning[];
};

/** A prepared registration with the traceparent of the request that it came with. */
export type RegistrationRow = { prepared: PreparedRegistration; traceparent: string | null };

/**
 * Checks what a registration means, or returns the error that names every mistake, those in its shape included:
 * `validation_failed` or `unknown_field` when it is malformed, otherwise `carrier_not_supported`,
 * `identifier_mode_mismatch` or `identifier_not_trackable`. Only a test key may use any carrier of the catalogue and
 * `TEST-` numbers.
 */
export function prepareRegistration(
  { test }: Pick<Caller, 'test'>,
  sent: SentRegistration,
): PreparedRegistration | LandfallError {
  const { transportMode: mode, serviceType, staleAfterHours = null } = sent;
  const carrier = sent.carrier === null ? null : findCarrierByName(sent.carrier);
  const parsed =
    mode === null || sent.identifiers === null
      ? null
      : parseIdentifiers(mode, sent.identifiers, { serviceType, test, carrier: carrier?.code ?? null });

  const references = allReferences(sent.reference, sent.references);
  const mistakes: InputMistake[] = [...(sent.mistakes ?? []), ...referenceMistakes(references)];
  if (mode !== null && mode !== 'road' && serviceType !== null) mistakes.push(notForRoad(mode));
  if (parsed !== null) mistakes.push(...parsed.mistakes);
  if (mode !== null && sent.carrier !== null)
    mistakes.push(...carrierMistakes(sent.carrier, { carrier, mode, test, isPushed: staleAfterHours !== null }));
  if (mode !== null && parsed !== null) mistakes.push(...trackableMistakes(mode, parsed));

  if (mistakes.length > 0 || mode === null || carrier === null || parsed === null) return refusal(mistakes);
  const polling = test ? testConnector : connectorFor(carrier.code, mode);
  const connector = staleAfterHours === null ? polling : pushedConnector;
  if (connector === null) throw new Error('a supported carrier has no connector');
  return {
    registration: {
      transportMode: mode,
      carrier: carrier.code,
      identifiers: parsed.identifiers,
      serviceType,
      ...statedOf(sent),
      reference: references[0] ?? null,
      references,
    },
    entries: identifierEntries({ identifiers: parsed.identifiers, carrier: carrier.code }),
    carrierName: carrier.name,
    connector,
    staleAfterHours,
    warnings: parsed.warnings,
  };
}

function notForRoad(mode: TransportMode): InputMistake {
  const detail = `service_type is only allowed for road, not for ${mode}.`;
  return { pointer: '/service_type', code: 'not_allowed', detail };
}

type ChosenCarrier = { carrier: Carrier | null; mode: TransportMode; test: boolean; isPushed: boolean };

function carrierMistakes(sent: string, { carrier, mode, test, isPushed }: ChosenCarrier): InputMistake[] {
  if (sent.trim() === '') return [];
  const refuse = (detail: string): InputMistake[] => [{ pointer: '/carrier', code: 'carrier_not_supported', detail }];
  if (carrier === null) {
    const hint = carrierHint(sent) ?? supportedCarriers(mode);
    return refuse(`Unknown carrier: ${sent.trim().slice(0, 64)}. ${hint}`);
  }
  if (test) return [];
  if (!carrier.modes.includes(mode)) return refuse(`${carrier.name} (${carrier.code}) does not operate in ${mode}.`);
  if (isPushed || carrier.connector !== null) return [];
  return refuse(`${carrier.name} (${carrier.code}) can’t be polled. ${pushInstead}`);
}

/** Remedy for a carrier without a connector. */
const pushInstead = 'To push its events yourself, register with {"tracking": {"mode": "pushed"}}.';

function supportedCarriers(mode: TransportMode): string {
  const codes = carriers.filter((carrier) => connectorFor(carrier.code, mode) !== null).map((carrier) => carrier.code);
  return codes.length === 0
    ? `No carrier can be polled for ${mode}. ${pushInstead}`
    : `Supported for ${mode}: ${codes.join(', ')}.`;
}

function trackableMistakes(mode: TransportMode, parsed: ParsedIdentifiers): InputMistake[] {
  if (parsed.trackable || parsed.mistakes.length > 0) return [];
  const needed = trackableKeysOf(mode).join(', ');
  const pointer = '/identifiers';
  if (Object.keys(parsed.identifiers).length === 0) {
    return [{ pointer, code: 'required', detail: `identifiers must contain at least one of ${needed}.` }];
  }
  const detail = `Carriers cannot be queried by these identifiers. Add one of ${needed}.`;
  return [{ pointer, code: 'identifier_not_trackable', detail }];
}

/** Refuse a well-formed registration. */
const meaningCodes = ['carrier_not_supported', 'identifier_mode_mismatch', 'identifier_not_trackable'] as const;

function refusal(mistakes: InputMistake[]): LandfallError {
  const codes = new Set(mistakes.map((mistake) => mistake.code));
  const isWellFormed = [...codes].every((code) => meaningCodes.some((known) => known === code));
  let code: ErrorCode = 'validation_failed';
  if (isWellFormed) code = meaningCodes.find((known) => codes.has(known)) ?? code;
  else if (codes.size === 1 && codes.has('unknown_field')) code = 'unknown_field';
  const decisive = isWellFormed ? mistakes.filter((mistake) => mistake.code === code).slice(0, 1) : mistakes;
  return new LandfallError(code, joinDetails(decisive), { mistakes });
}
