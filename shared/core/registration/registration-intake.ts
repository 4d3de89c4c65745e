import type { Caller } from '#shared/domain/caller.ts';
import { findCarrier, testConnector } from '#shared/domain/carriers/carrier-catalogue.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { parseIdentifiers } from '#shared/domain/registration/identifiers.ts';
import type { Registration, Warning } from '#shared/domain/shipments/shipment.ts';
import type { CoreContext } from '../core-context.ts';

/** A registration with everything that is known before the database is asked. */
export type Intake = { registration: Registration; carrierName: string; connector: string; warnings: Warning[] };

/** Completes a registration with what is known without the database. Throws LandfallError `carrier_not_supported`, `identifier_not_trackable`. */
export function prepareIntake(
  ctx: Pick<CoreContext, 'connectorFor'>,
  caller: Pick<Caller, 'test'>,
  registration: Registration,
): Intake {
  const carrier = findCarrier(registration.carrier);
  const code = carrier?.code ?? registration.carrier;
  const connector = caller.test ? testConnector : ctx.connectorFor(code, registration.transportMode);
  if (connector === null) {
    throw new LandfallError(
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
    throw new LandfallError(
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
