import { z } from 'zod';
import { clockKinds } from '#shared/domain/events/stated-free-time.ts';
import type { FreeTimeTerm } from '#shared/domain/free-time/terms.ts';
import { type Clock, clockStates } from '#shared/domain/record/free-time.ts';
import { dayOrNull, wireCost } from '../record/free-time-parts.ts';
import { toShipmentId } from '../record/shipment-id.ts';
import { count, instantOrNull, openEnum } from '../schema-parts.ts';
import { freeTimeTermRow, maxTerms, toWireTerm } from './terms-body.ts';

/** The stored terms. */
export const wireFreeTimeTerms = z.strictObject({
  terms: z
    .array(freeTimeTermRow)
    .max(maxTerms)
    .meta({ description: 'All rows, in the order in which they were sent.' }),
  version: count('Rises by one with each replacement. 0: there are no terms.', 3),
  updated_at: instantOrNull('When they were replaced last. Null: never.'),
  applied: z.boolean().meta({
    description:
      'Whether every shipment is queued to be assessed by these terms. Refreshes use them at once; other shipments ' +
      'follow in the background, within seconds to minutes.',
    examples: [true],
  }),
});

export type WireFreeTimeTerms = z.infer<typeof wireFreeTimeTerms>;

/** Terms, as the core returns them. */
export type FreeTimeTermsState = {
  terms: readonly FreeTimeTerm[];
  version: number;
  updatedAt: string | null;
  isApplied: boolean;
};

export function toWireTerms({ terms, version, updatedAt, isApplied }: FreeTimeTermsState): WireFreeTimeTerms {
  return { terms: terms.map(toWireTerm), version, updated_at: updatedAt, applied: isApplied };
}

const previewedClock = z
  .strictObject({
    state: openEnum(clockStates, 'State of the clock.'),
    last_free_day: dayOrNull('The last day without charges. Null if unknown.'),
    cost: wireCost.nullable().meta({ description: 'Cost so far. Null if nothing is owed or the rates are unknown.' }),
  })
  .nullable();

const states = z.record(z.string(), z.int().min(0));

/** Effects of unsaved terms. */
export const wireTermsPreview = z.strictObject({
  assessed: count('Shipments that were assessed: the newest with a container between discharge and empty return.', 120),
  more: z.boolean().meta({ description: 'Whether there are more shipments than were assessed.', examples: [false] }),
  changed: count('Containers with a clock that would change.', 4),
  before: states.meta({ description: 'Number of clocks by state now.', examples: [{ running: 10, unknown_terms: 4 }] }),
  after: states.meta({ description: 'Number of clocks by state with these terms.', examples: [{ running: 14 }] }),
  changes: z
    .array(
      z.strictObject({
        shipment_id: z.string().meta({ description: 'The shipment.', examples: ['shp_01h455vb4pex5vsknk084sn02q'] }),
        container: z.string().meta({ description: 'Number of the container.', examples: ['MSKU1234565'] }),
        kind: openEnum(clockKinds, 'The clock.'),
        before: previewedClock.meta({ description: 'The clock now. Null: there is none of this kind.' }),
        after: previewedClock.meta({ description: 'The clock with these terms. Null: there is none of this kind.' }),
      }),
    )
    .max(50)
    .meta({ description: 'The first 50 clocks whose state, last free day or cost would change.' }),
});

/** A clock that terms would change. Null: there is none of this kind. */
export type PreviewedChange = {
  shipmentId: string;
  container: string;
  kind: Clock['kind'];
  before: Pick<Clock, 'state' | 'lastFreeDay' | 'cost'> | null;
  after: Pick<Clock, 'state' | 'lastFreeDay' | 'cost'> | null;
};

/** Effects of unsaved terms, as the core returns them. */
export type TermsPreview = {
  assessed: number;
  more: boolean;
  changed: number;
  before: Readonly<Record<string, number>>;
  after: Readonly<Record<string, number>>;
  changes: readonly PreviewedChange[];
};

export function toWirePreview(preview: TermsPreview): z.infer<typeof wireTermsPreview> {
  const { assessed, more, changed, before, after, changes } = preview;
  return {
    assessed,
    more,
    changed,
    before,
    after,
    changes: changes.map((change) => ({
      shipment_id: toShipmentId(change.shipmentId),
      container: change.container,
      kind: change.kind,
      before: toWireClock(change.before),
      after: toWireClock(change.after),
    })),
  };
}

function toWireClock(clock: PreviewedChange['before']) {
  return (
    clock && {
      state: clock.state,
      last_free_day: clock.lastFreeDay,
      cost: clock.cost && { amount: clock.cost.amount, currency: clock.cost.currency, is_floor: clock.cost.isFloor },
    }
  );
}
