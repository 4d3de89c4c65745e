import type { EventCode, LegRole } from '../events/event.ts';
import type { TransportMode } from '../events/transport-mode.ts';

export type TestSite = 'start' | 'middle' | 'end';

/**
 * One milestone of a test journey. `hours` counts from its start. `revisedHours`: when the carrier revised it, counted
 * from the registration. Null: it is as first reported.
 */
export type TestMilestone = {
  code: EventCode;
  site: TestSite;
  legRole: LegRole;
  hours: number;
  empty: boolean | null;
  revisedHours: number | null;
};

/** Length of a journey in one mode. `stops` are indexes of `milestones`. */
export type TestTimeline = {
  milestones: readonly TestMilestone[];
  stops: { booked: number; inTransit: number; arrived: number; outForDelivery: number; delivered: number };
};

type Line = readonly [code: EventCode, site: TestSite, hours: number];

const atSea: readonly Line[] = [
  ['booking_confirmed', 'start', 0],
  ['gate_out_empty', 'start', 24],
  ['gate_in_full', 'start', 96],
  ['loaded', 'start', 120],
  ['departed', 'start', 126],
  ['arrived', 'middle', 270],
  ['discharged', 'middle', 276],
  ['loaded', 'middle', 324],
  ['departed', 'middle', 330],
  ['arrived', 'end', 810],
  ['discharged', 'end', 822],
  ['customs_released', 'end', 836],
  ['available_for_pickup', 'end', 840],
  ['gate_out_full', 'end', 864],
  ['delivered', 'end', 870],
  ['gate_in_empty', 'end', 912],
];

const inTheAir: readonly Line[] = [
  ['booking_confirmed', 'start', 0],
  ['received_from_shipper', 'start', 12],
  ['manifested', 'start', 18],
  ['departed', 'start', 22],
  ['arrived', 'middle', 28],
  ['departed', 'middle', 34],
  ['arrived', 'end', 48],
  ['received_from_flight', 'end', 51],
  ['customs_released', 'end', 54],
  ['available_for_pickup', 'end', 56],
  ['out_for_delivery', 'end', 72],
  ['delivered', 'end', 76],
];

const onRails: readonly Line[] = [
  ['booking_confirmed', 'start', 0],
  ['gate_in_full', 'start', 20],
  ['rail_loaded', 'start', 26],
  ['rail_departed', 'start', 30],
  ['rail_arrived', 'middle', 78],
  ['rail_departed', 'middle', 84],
  ['rail_arrived', 'end', 118],
  ['rail_unloaded', 'end', 124],
  ['available_for_pickup', 'end', 128],
  ['gate_out_full', 'end', 146],
  ['delivered', 'end', 152],
];

const onTheRoad: readonly Line[] = [
  ['information_received', 'start', 0],
  ['picked_up', 'start', 8],
  ['departed', 'start', 10],
  ['arrived', 'middle', 22],
  ['departed', 'middle', 26],
  ['arrived', 'end', 38],
  ['out_for_delivery', 'end', 44],
  ['delivered', 'end', 48],
];

const asParcel: readonly Line[] = [
  ['information_received', 'start', 0],
  ['picked_up', 'start', 6],
  ['departed_facility', 'start', 9],
  ['arrived_at_facility', 'middle', 15],
  ['departed_facility', 'middle', 19],
  ['arrived_at_facility', 'end', 26],
  ['out_for_delivery', 'end', 30],
  ['delivered', 'end', 36],
];

const byPort = { start: 'pol', middle: 'transshipment', end: 'pod' } as const;
const byDoor = { start: 'origin', middle: 'inland', end: 'destination' } as const;

/** A plain journey in each mode: from one place through a second to a third. */
export const testTimelines: Readonly<Record<TransportMode, TestTimeline>> = {
  ocean: timeline(atSea, byPort, { inTransit: 'departed', arrived: 'discharged', outForDelivery: 'gate_out_full' }),
  air: timeline(inTheAir, byPort, {
    inTransit: 'departed',
    arrived: 'received_from_flight',
    outForDelivery: 'out_for_delivery',
  }),
  rail: timeline(onRails, byPort, {
    inTransit: 'rail_departed',
    arrived: 'rail_unloaded',
    outForDelivery: 'gate_out_full',
  }),
  road: timeline(onTheRoad, byDoor, { inTransit: 'departed', arrived: 'arrived', outForDelivery: 'out_for_delivery' }),
  parcel: timeline(asParcel, byDoor, {
    inTransit: 'departed_facility',
    arrived: 'arrived_at_facility',
    outForDelivery: 'out_for_delivery',
  }),
};

type StopCodes = Record<'inTransit' | 'arrived' | 'outForDelivery', EventCode>;

/**
 * The first such event is the start of the transit, the last one the arrival. What precedes the movement is the
 * booking.
 */
function timeline(lines: readonly Line[], roles: Record<TestSite, LegRole>, stopCodes: StopCodes): TestTimeline {
  const codes = lines.map(([code]) => code);
  const moving: readonly EventCode[] = ['loaded', 'rail_loaded', 'departed', 'picked_up'];
  return {
    milestones: lines.map(([code, site, hours]) => ({
      code,
      site,
      legRole: roles[site],
      hours,
      empty: emptyOf(code),
      revisedHours: null,
    })),
    stops: {
      booked: codes.findIndex((code) => moving.includes(code)) - 1,
      inTransit: codes.indexOf(stopCodes.inTransit),
      arrived: codes.lastIndexOf(stopCodes.arrived),
      outForDelivery: codes.indexOf(stopCodes.outForDelivery),
      delivered: codes.indexOf('delivered'),
    },
  };
}

function emptyOf(code: EventCode): boolean | null {
  if (code === 'gate_out_empty' || code === 'gate_in_empty') return true;
  return ['gate_in_full', 'gate_out_full', 'loaded', 'discharged'].includes(code) ? false : null;
}
