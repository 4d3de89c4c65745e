import { z } from 'zod';
import { delayCauses } from '#shared/domain/analytics/delay-causes.ts';
import { freeTimeOutcomes } from '#shared/domain/analytics/free-time-outcome.ts';
import { readLane } from '#shared/domain/analytics/lane.ts';
import { punctualities } from '#shared/domain/record/shipment.ts';
import { anyOf, localDayAt, oneMoment } from '../input/filter-parts.ts';
import { plainText } from '../input/plain-text.ts';

const laneText = (by: 'codes' | 'countries', error: string) =>
  plainText({ max: 32 }).refine((text) => readLane(text, by) !== null, { error, params: { code: 'invalid_format' } });
const codeLane = laneText('codes', 'must be two UN/LOCODEs or IATA codes with a hyphen: CNSHA-NLRTM, FRA-JFK.');
const countryLane = laneText('countries', 'must be two countries with a hyphen: CN-NL.');
const ofArrivals = 'The arrival, or of parcels and trucks the delivery. Follows the record within seconds.';

/** The filters of REST by how a voyage went: those that figures of analytics name their lists with. */
export const arrivalFilterFields = {
  arrived_from: oneMoment(`Arrived at or after. ${ofArrivals} ${localDayAt('arrived')}`, '2026-04-01'),
  arrived_to: oneMoment(`Arrived at or before. ${ofArrivals} ${localDayAt('arrived')}`, '2026-06-30'),
  on_time: anyOf(z.enum(punctualities), {
    description:
      'Has arrived, compared with the first promise: `late` by a day or more, `early` by a day or more, a parcel by ' +
      'its promised day or window. `unknown`: nothing was promised.',
    examples: [['late']],
  }),
  transit_known: z
    .boolean()
    .optional()
    .meta({ description: 'Has arrived, and whether its time in transit is known.', examples: [true] }),
  transit_min_hours: z
    .number()
    .min(0)
    .max(100_000)
    .optional()
    .meta({ description: 'Has arrived at least this many hours after its departure.', examples: [720] }),
  delay_cause: anyOf(z.enum(delayCauses), {
    description:
      'Has arrived late, and the record knows this cause: an SMDG code that the carrier stated, or an exception. ' +
      '`unknown`: none is stated.',
    examples: [['WEA', 'customs_hold']],
  }),
  free_time_outcome: anyOf(z.enum(freeTimeOutcomes), {
    description:
      'Has arrived, and how free time went: `exceeded`, `within`, `open` (a clock runs), `unknown` (its last free ' +
      'day is unknown), `none` (no clock started).',
    examples: [['exceeded']],
  }),
  lane: anyOf(codeLane, {
    description:
      'Origin and destination by UN/LOCODE, or IATA code where there is none, exact match. `unknown` stands for an ' +
      'end that is not known: `CNSHA-unknown`.',
    examples: [['CNSHA-NLRTM']],
  }),
  country_lane: anyOf(countryLane, {
    description: 'Countries of origin and destination, exact match. `unknown` stands for an end that is not known.',
    examples: [['CN-NL']],
  }),
  has_events: z
    .boolean()
    .optional()
    .meta({ description: 'Whether an event of it has happened.', examples: [false] }),
};
