import { entryOf } from '#shared/domain/entry-of.ts';
import type { EventCode, LegRole } from '#shared/domain/events/event.ts';
import type { TransportMode } from '#shared/domain/events/transport-mode.ts';

type Meaning = { code: EventCode; legRole: LegRole; empty: boolean | null };

const laden = (code: EventCode, legRole: LegRole): Meaning => ({ code, legRole, empty: false });
const empty = (code: EventCode, legRole: LegRole): Meaning => ({ code, legRole, empty: true });

/**
 * The moves in the documentation's examples, and those of trains from a public client. The mapping is ours. A container
 * that leaves the last port by train is not on its way to the consignee yet.
 */
const meanings: Readonly<Record<string, Meaning>> = {
  'empty equipment despatched': empty('gate_out_empty', 'origin'),
  'cargo received': laden('received_from_shipper', 'origin'),
  'gate-out from first full facility': laden('departed_facility', 'inland'),
  'gate-in at first pol': laden('gate_in_full', 'pol'),
  'loaded at first pol': laden('loaded', 'pol'),
  'discharged at t/s pod': laden('discharged', 'transshipment'),
  'loaded at t/s pol': laden('loaded', 'transshipment'),
  'discharged at last pod': laden('discharged', 'pod'),
  'gate-out from last pod': laden('gate_out_full', 'pod'),
  'first loaded on rail under i/b': laden('rail_loaded', 'inland'),
  'rail arrival at final hub': laden('rail_arrived', 'inland'),
  'last arrival under i/b': laden('rail_arrived', 'inland'),
  'de-ramp at final hub': laden('rail_unloaded', 'inland'),
  'last de-ramp under i/b': laden('rail_unloaded', 'inland'),
  'gate-in at final hub': laden('arrived_at_facility', 'inland'),
  'gate-out from final hub': laden('gate_out_full', 'destination'),
  'empty equipment returned': empty('gate_in_empty', 'destination'),
};

const unknown: Meaning = { code: 'other', legRole: 'unknown', empty: null };

/** The meaning of a container's move. Unknown moves are `other`. */
export function meaningOfMove(label: string, mode: TransportMode | null): Meaning {
  const meaning = entryOf(meanings, label.toLowerCase().replace(/\s+/g, ' ')) ?? unknown;
  const isInland = meaning.code === 'gate_out_full' && meaning.legRole === 'pod' && mode !== 'road' && mode !== null;
  return isInland ? laden('departed_facility', 'inland') : meaning;
}

const modes: Readonly<Record<string, TransportMode>> = { vessel: 'ocean', barge: 'ocean', truck: 'road', rail: 'rail' };

/** `transportation` of a move. A blank one is not stated. */
export function modeOfMove(transportation: string | null): TransportMode | null {
  return entryOf(modes, transportation?.toLowerCase()) ?? null;
}
