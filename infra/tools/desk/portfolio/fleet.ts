import { air, door, type Ending, ocean } from './journeys.ts';
import { story } from './make-story.ts';
import { lastWeek } from './moments.ts';
import { numberOf } from './numbers.ts';
import type { PlaceCode } from './places.ts';
import type { Story } from './story.ts';

type Line = { carrier: string; prefix: string; vessel: string; count: number; lateEvery: number; lateBy: number };

/** CMA CGM is the worst of them. */
const lines: Line[] = [
  { carrier: 'MAEU', prefix: 'MSKU', vessel: 'Landfall Meridian', count: 28, lateEvery: 9, lateBy: 26 },
  { carrier: 'HLCU', prefix: 'HLBU', vessel: 'Baltic Heron', count: 24, lateEvery: 8, lateBy: 30 },
  { carrier: 'MSCU', prefix: 'MEDU', vessel: 'Alba Tern', count: 20, lateEvery: 7, lateBy: 50 },
  { carrier: 'CMDU', prefix: 'CMAU', vessel: 'Cedar Bay', count: 18, lateEvery: 3, lateBy: 74 },
  { carrier: 'ONEY', prefix: 'ONEU', vessel: 'Kestrel Strait', count: 12, lateEvery: 12, lateBy: 25 },
];
const origins: PlaceCode[] = ['CNSHA', 'CNNGB', 'VNSGN', 'INNSA'];
const destinations: PlaceCode[] = ['NLRTM', 'DEHAM', 'USLAX', 'BEANR', 'USNYC'];

/** The position of each sixth of a fleet: hours of departure and arrival, and the later milestones. */
const stages: { departs: number; arrives: number; endings?: Ending[] }[] = [
  { departs: -400, arrives: 60 },
  { departs: -200, arrives: 260 },
  { departs: 70, arrives: 700 },
  { departs: -520, arrives: 18 },
  { departs: -700, arrives: -52, endings: [{ code: 'available_for_pickup', hour: -34 }] },
  {
    departs: lastWeek.from - 700,
    arrives: lastWeek.from - 60,
    endings: [
      { code: 'gate_out_full', hour: lastWeek.from + 4 },
      { code: 'delivered', hour: lastWeek.from + 11 },
    ],
  },
];

/**
 * Ordinary traffic: many similar shipments. `offset` keeps the numbers of two accounts distinct, and `mark` is the
 * prefix of their references.
 */
export function fleet(mark: string, offset: number, share = 1): Story[] {
  return [
    ...lines.flatMap((line) => lineFleet(line, mark, offset, share)),
    ...flights(mark, offset, share),
    ...doors(mark, offset, share),
  ];
}

function lineFleet(line: Line, mark: string, offset: number, share: number): Story[] {
  return range(line.count * share).map((n) => {
    const stage = stages[n % stages.length]!;
    const isLate = n % line.lateEvery === 1 && stage.departs <= 0;
    const isEmptyBack = stage.endings?.at(-1)?.code === 'delivered' && n % 2 === 1;
    const endings = [
      ...(stage.endings ?? []),
      ...(isEmptyBack ? [{ code: 'gate_in_empty' as const, hour: lastWeek.from + 170 }] : []),
    ];
    const arrives = stage.arrives + n;
    const journey = ocean({
      from: origins[n % origins.length]!,
      to: destinations[n % destinations.length]!,
      vessel: line.vessel,
      departs: stage.departs + n,
      arrives: stage.endings === undefined ? arrives : stage.arrives,
      ...(isLate ? { first: (stage.endings === undefined ? arrives : stage.arrives) - line.lateBy } : {}),
      containers: [numberOf.container(line.prefix, 800_000 + offset + n)],
      endings: endings.filter((ending) => ending.hour <= 0),
    });
    const isBack = isEmptyBack && lastWeek.from + 170 <= 0;
    return story(
      `${line.carrier}-${n}`,
      {
        transportMode: 'ocean',
        carrier: line.carrier,
        identifiers: { mbl: `${line.carrier}${70_000_000 + offset + n}` },
        reference: `${mark}-${line.carrier}-${n}`,
        tags: n % 10 === 0 ? ['spring-launch'] : n % 3 === 0 ? ['acme'] : [],
      },
      journey,
      { changedFor: n % 7 === 0 ? 5 + n / 10 : 72 + n, ...(isBack ? { trackingState: 'completed' } : {}) },
    );
  });
}

function flights(mark: string, offset: number, share: number): Story[] {
  return range(27 * share).map((n) => {
    const isLanded = n % 3 === 2;
    const journey = air({
      from: n % 2 === 0 ? 'HKG' : 'PVG',
      to: n % 4 < 2 ? 'FRA' : 'ORD',
      flight: `LH${8400 + n}`,
      departs: isLanded ? -70 : n % 3 === 0 ? -5 : 30,
      arrives: isLanded ? -57 : n % 3 === 0 ? 7 + 2 * n : 45 + 8 * n,
      endings: isLanded
        ? [
            { code: 'consignee_notified', hour: -50 },
            { code: 'delivered', hour: -40 },
          ]
        : [],
    });
    return story(
      `air-${n}`,
      {
        transportMode: 'air',
        carrier: n % 2 === 0 ? 'LH' : 'CX',
        identifiers: { awb: numberOf.airWaybill(n % 2 === 0 ? '020' : '160', 6_000_000 + offset + n) },
        reference: `${mark}-AIR-${n}`,
      },
      journey,
      { changedFor: 80 + n, ...(isLanded ? { trackingState: 'completed' } : {}) },
    );
  });
}

function doors(mark: string, offset: number, share: number): Story[] {
  return range(50 * share).map((n) => {
    const isRoad = n % 5 === 4;
    const isDelivered = n % 3 === 0;
    const journey = door({
      mode: isRoad ? 'road' : 'parcel',
      from: 'USMEM',
      to: n % 2 === 0 ? 'USSEA' : 'USATL',
      pickedUp: isDelivered ? -200 : n % 3 === 1 ? -40 : 5,
      due: 30 + 6 * n,
      endings: isDelivered
        ? [
            { code: 'out_for_delivery', hour: -110 - n },
            { code: 'delivered', hour: -100 - n },
          ]
        : [],
    });
    const carrier = isRoad ? 'ODFL' : n % 2 === 0 ? 'ups' : 'fedex';
    const number = isRoad
      ? { pro: String(55_000_000 + offset + n) }
      : { tracking_number: (carrier === 'ups' ? numberOf.ups : numberOf.fedex)(5_000_000 + offset + n) };
    return story(
      `door-${n}`,
      { transportMode: isRoad ? 'road' : 'parcel', carrier, identifiers: number, reference: `${mark}-DOOR-${n}` },
      journey,
      { changedFor: 90 + n, ...(isDelivered ? { trackingState: 'completed' } : {}) },
    );
  });
}

function range(count: number): number[] {
  return Array.from({ length: Math.floor(count) }, (_one, n) => n);
}
