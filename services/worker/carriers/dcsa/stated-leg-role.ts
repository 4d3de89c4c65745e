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
 * The leg role that a line states: CMA CGM's `shipmentLocationType`, else a transport phase (CMA CGM's, or Track & Trace 3.0's) as far as it
 * names a place: "export" may be anywhere before the sea, "import" anywhere after it.
 */
export function statedLegRole(fields: LenientObject): LegRole {
  const own = child(fields, 'carrierSpecificData');
  const location = text(own, 'shipmentLocationType')?.toUpperCase() ?? '';
  const phase = (text(own, 'transportationPhase') ?? text(fields, 'transportPhase'))?.toUpperCase();
  return roles[location] ?? (phase === 'TRANSSHIPMENT' ? 'transshipment' : 'unknown');
}
