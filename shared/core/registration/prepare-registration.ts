import type { Caller } from '#shared/domain/caller.ts';
import { connectorFor, findCarrier, testConnector } from '#shared/domain/carriers/carrier-catalogue.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { parseIdentifiers } from '#shared/domain/registration/identifiers.ts';
import type { Registration, Warning } from '#shared/domain/shipments/shipment.ts';

/** A registration with everything that is known about it without the database. */
export type PreparedRegistration = {
  registration: Registration;
  carrierName: string;
  connector: string;
  warnings: Warning[];
};

/** Checks what a registration means and completes it, or returns the LandfallError that refuses it. */
export function prepareRegistration(
  caller: Pick<Caller, 'test'>,
  registration: Registration,
): PreparedRegistration | LandfallError {
  const carrier = findCarrier(registration.carrier);
  const code = carrier?.code ?? registration.carrier;
  const connector = caller.test ? testConnector : connectorFor(code, registration.transportMode);
  if (connector === null) {
    return new LandfallError(
      'carrier_not_supported',
      `No connector follows the carrier ${code} by ${registration.transportMode} yet.`,
    );
  }
  const parsed = parseIdentifiers(registration.transportMode, registration.identifiers, {
    serviceType: registration.serviceType,
    test: caller.test,
    carrier: code,
  });
  if (!parsed.trackable) {
    return new LandfallError(
      'identifier_not_trackable',
      'No carrier can be asked about these identifiers alone; add one that is trackable.',
    );
  }
  return {
    registration: { ...registration, carrier: code },
    carrierName: carrier?.name ?? code,
    connector,
    warnings: parsed.warnings,
  };
}
