import type { CarrierTime, Place, ReadEvent, TimeWindow } from '#shared/domain/events/event.ts';
import type { UnreadableEvent } from '#shared/domain/events/unreadable.ts';
import { type LenientObject, text } from '../lenient-object.ts';
import { dayOrTime, expectedDelivery } from '../reading/parcel-reading.ts';
import { readWindow } from '../reading/read-window.ts';

export type UspsExpectations = { events: ReadEvent[]; unreadable: UnreadableEvent[] };

/**
 * The guaranteed delivery as the plan, and as the estimate what USPS predicts, otherwise what it expects by its service
 * standard.
 */
export function readUspsExpectations(parcel: LenientObject, place: Place | null): UspsExpectations {
  const guaranteed = timeIn(parcel, 'guaranteedDeliveryTimeStamp', place);
  const planned =
    guaranteed === null
      ? []
      : [
          expectedDelivery(guaranteed, {
            classifier: 'planned',
            place,
            carrierCode: 'guaranteedDeliveryTimeStamp',
            raw: statedIn(parcel, ['guaranteedDeliveryTimeStamp', 'guaranteedDetails']),
          }),
        ];
  const estimated = estimateOf(parcel, place);
  return { events: [...planned, ...estimated.events], unreadable: estimated.unreadable };
}

const estimateFields = ['predictedDeliveryDate', 'predictedDeliveryTimeStamp', 'expectedDeliveryTimeStamp'] as const;
const windowFields = ['predictedDeliveryWindowStartTime', 'predictedDeliveryWindowEndTime', 'endOfDay'] as const;

function estimateOf(parcel: LenientObject, place: Place | null): UspsExpectations {
  const carrierCode = estimateFields.find((name) => timeIn(parcel, name, place) !== null);
  if (carrierCode === undefined) return { events: [], unreadable: [] };
  const stated = timeIn(parcel, carrierCode, place);
  if (stated === null) return { events: [], unreadable: [] };
  const raw = statedIn(parcel, [carrierCode, 'expectedDeliveryType', ...windowFields]);
  const window = windowOf(parcel, { day: stated.local.slice(0, 10), place, raw });
  const { value } = window;
  const time = value?.to ?? value?.from ?? stated;
  const event = expectedDelivery(time, { classifier: 'estimated', place, carrierCode, window: value, raw });
  return { events: [event], unreadable: window.unreadable };
}

/** The window on the predicted day. A window without an end lasts until the end of the day that USPS states. */
function windowOf(
  parcel: LenientObject,
  { day, place, raw }: { day: string; place: Place | null; raw: unknown },
): { value: TimeWindow | null; unreadable: UnreadableEvent[] } {
  const at = (name: string): CarrierTime | null => {
    const clock = clockOf(text(parcel, name));
    return clock === null ? null : dayOrTime(`${day}T${clock}`, place);
  };
  const to = at('predictedDeliveryWindowEndTime') ?? at('endOfDay');
  return readWindow(at('predictedDeliveryWindowStartTime'), to, raw);
}

/** The specification names no format: `13:15`, `13:15:00` and `1:15pm` are read. */
function clockOf(written: string | null): string | null {
  const parts = /^(?:by )?(\d{1,2}):(\d{2})(?::\d{2})?\s*(?:([ap])\.?m\.?)?$/i.exec(written ?? '');
  if (parts === null) return null;
  const [, hour = '', minute = '', half] = parts;
  const plain = Number(hour);
  const isAfternoon = half?.toLowerCase() === 'p';
  const hours = half === undefined ? plain : (plain % 12) + (isAfternoon ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || (half !== undefined && (plain < 1 || plain > 12))) return null;
  return `${String(hours).padStart(2, '0')}:${minute}`;
}

function timeIn(parcel: LenientObject, name: string, place: Place | null): CarrierTime | null {
  const written = text(parcel, name);
  return written === null ? null : dayOrTime(written, place);
}

function statedIn(parcel: LenientObject, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, parcel.get(name.toLowerCase()) ?? null]));
}
