import type { LegRole } from '#shared/domain/tracking/event.ts';
import { child, type LenientObject, text } from '../lenient-object.ts';

/** DCSA shipment location types, and CMA CGM's `PTS`, a port of transshipment. */
const roles: Readonly<Record<string, LegRole>> = {
  PRE: 'origin',
  OIR: 'origin',
  ORI: 'origin',
  POL: 'pol',
  PTS: 'transshipment',
  POD: 'pod',
  PDE: 'destination',
  FCD: 'destination',
};

/**
 * The leg role that the line states: CMA CGM's `shipmentLocationType`, or else the transport phase of CMA CGM or Track
 * & Trace 3.0. Only the phase "transshipment" identifies a place; "export" and "import" cover every place before and
 * after the sea leg.
 */
export function statedLegRole(fields: LenientObject): LegRole {
  const own = child(fields, 'carrierSpecificData');
  const location = text(own, 'shipmentLocationType')?.toUpperCase() ?? '';
  const phase = (text(own, 'transportationPhase') ?? text(fields, 'transportPhase'))?.toUpperCase();
  return roles[location] ?? (phase === 'TRANSSHIPMENT' ? 'transshipment' : 'unknown');
}
