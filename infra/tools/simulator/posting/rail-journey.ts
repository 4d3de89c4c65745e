import { containerCheckDigit } from '../voyages/check-digits.ts';
import { localTime } from '../voyages/local-time.ts';
import { createRandom } from '../voyages/random.ts';
import type { Published } from './play.ts';

/** An intermodal ramp of a simulated railway. `short` is used in train names. */
type Ramp = { unlocode: string; facility: string; short: string; zone: string };

const losAngeles = { unlocode: 'USLAX', facility: 'Hobart Yard', short: 'LAC', zone: 'America/Los_Angeles' };
const chicago = { unlocode: 'USCHI', facility: 'Corwith Ramp', short: 'CHI', zone: 'America/Chicago' };
const kansasCity = { unlocode: 'USMKC', facility: 'Argentine Yard', short: 'KCK', zone: 'America/Chicago' };
const dallas = { unlocode: 'USDAL', facility: 'Alliance Ramp', short: 'ALT', zone: 'America/Chicago' };
const memphis = { unlocode: 'USMEM', facility: 'Tennessee Yard', short: 'MEM', zone: 'America/Chicago' };
const atlanta = { unlocode: 'USATL', facility: 'Fairburn Ramp', short: 'FAI', zone: 'America/New_York' };

/** Origin, interchange and destination. */
const rampRoutes: readonly [readonly [Ramp, Ramp, Ramp], ...(readonly [Ramp, Ramp, Ramp])[]] = [
  [losAngeles, kansasCity, chicago],
  [losAngeles, dallas, atlanta],
  [chicago, memphis, atlanta],
  [atlanta, memphis, dallas],
];

/** A rail shipment from the origin ramp to the consignee. It depends only on the seed and the waybill number. */
export type RailJourney = {
  number: string;
  container: string;
  train: string;
  route: readonly [Ramp, Ramp, Ramp];
  stops: { id: string; code: string; ramp: Ramp; atMs: number; reportedMs: number }[];
  /** The arrival at the last ramp, as the railway forecast it. */
  forecasts: { publishedMs: number; timeMs: number }[];
  durationMs: number;
  startFraction: number;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Plans the journey of a waybill number: three ramps, one interchange, and a delay of the arrival now and then. */
export function planRailJourney(seed: string, number: string): RailJourney {
  const key = `${seed}|rail|${number}`;
  const random = createRandom(key, 'journey');
  const route = random.pick(rampRoutes);
  const [origin, interchange, destination] = route;
  const stops: RailJourney['stops'] = [];
  let atMs = 0;
  const stop = (code: string, ramp: Ramp, gapH: readonly [number, number]): number => {
    atMs = Math.round((atMs + random.between(gapH[0], gapH[1]) * hourMs) / minuteMs) * minuteMs;
    const reportedMs = atMs + Math.round(random.between(1, 25)) * minuteMs;
    stops.push({ id: `${stops.length + 1}-${code}`, code, ramp, atMs, reportedMs });
    return atMs;
  };
  stop('gate_in_full', origin, [0.1, 1]);
  stop('rail_loaded', origin, [5, 12]);
  const departedMs = stop('rail_departed', origin, [2, 8]);
  stop('rail_arrived', interchange, [18, 30]);
  const lateMs = random.chance(0.4) ? Math.round(random.between(6, 20)) * hourMs : 0;
  const onwardsMs = stop('rail_departed', interchange, [3 + lateMs / hourMs, 8 + lateMs / hourMs]);
  const arrivedMs = stop('rail_arrived', destination, [14, 24]);
  stop('rail_unloaded', destination, [2, 6]);
  stop('available_for_pickup', destination, [1, 4]);
  stop('gate_out_full', destination, [4, 20]);
  stop('delivered', destination, [2, 6]);
  const ownerAndSerial = `${random.pick(['BNFU', 'JBHU', 'HUBU'])}${random.whole(100_000, 999_999)}`;
  const promisedMs = arrivedMs - lateMs;
  return {
    number,
    container: `${ownerAndSerial}${containerCheckDigit(ownerAndSerial)}`,
    train: `Q-${origin.short}${destination.short}${random.whole(1, 9)}`,
    route,
    stops,
    forecasts: [
      { publishedMs: 0, timeMs: promisedMs },
      { publishedMs: departedMs + 30 * minuteMs, timeMs: promisedMs + Math.round(random.between(-2, 2)) * hourMs },
      { publishedMs: onwardsMs + 30 * minuteMs, timeMs: arrivedMs + Math.round(random.between(-1, 1)) * hourMs },
    ],
    durationMs: Math.max(...stops.map(({ reportedMs }) => reportedMs)),
    startFraction: createRandom(key, 'start').between(0.05, 0.5),
  };
}

/** Returns the railway's rows about a journey. `startMs`: epoch ms. */
export function railRows(journey: RailJourney, startMs: number): Published[] {
  const { number, container, train, route } = journey;
  const base = { source_name: 'demo-railway', shipment: { waybill: number }, container, transport_mode: 'rail' };
  const vehicle = { name: train, voyage: train };
  const stops = journey.stops.map(({ id, code, ramp, atMs, reportedMs }): Published => {
    const onTrain = code.startsWith('rail_') ? { vehicle } : {};
    const time = { at: localTime(startMs + atMs, ramp.zone) };
    return { atMs: reportedMs, id, body: { ...base, code, time, location: locationOf(ramp), ...onTrain } };
  });
  const [, , destination] = route;
  const forecasts = journey.forecasts.map(({ publishedMs, timeMs }, index): Published => {
    const body = {
      ...base,
      code: 'rail_arrived',
      classifier: index === 0 ? 'planned' : 'estimated',
      created_at: new Date(startMs + publishedMs).toISOString(),
      time: { at: localTime(startMs + timeMs, destination.zone) },
      location: locationOf(destination),
      vehicle,
    };
    return { atMs: publishedMs, id: `eta-${index + 1}`, body };
  });
  return [...stops, ...forecasts];
}

function locationOf({ unlocode, facility }: Ramp) {
  return { unlocode, facility };
}
