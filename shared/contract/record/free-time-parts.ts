import { z } from 'zod';
import { clockKinds } from '#shared/domain/events/stated-free-time.ts';
import {
  calendarBases,
  clockStates,
  freeDaySources,
  maxUrgentContainers,
  type milestoneNames,
  termsSources,
} from '#shared/domain/record/free-time.ts';
import { knownValues, openEnum, textOrNull } from '../schema-parts.ts';
import { timeOrNull } from './shipment-parts.ts';
import { feeFields, statedHold } from './stated-parts.ts';

/** A calendar day at the terminal. */
export function dayOrNull(description: string) {
  return z.iso
    .date()
    .nullable()
    .meta({ description, examples: ['2026-05-02'] });
}

/** An open enum that may be null. */
function nullableEnum(values: readonly string[], description: string) {
  return z
    .string()
    .nullable()
    .meta({ description: `${description} ${knownValues(values)}`, examples: values.slice(0, 1) });
}

const source = z.string().meta({
  description: 'Source of the statement: `carrier`, or `client:` and the name of the source that pushed it.',
  examples: ['carrier', 'client:acme-terminal'],
});

const wireAvailability = z
  .strictObject({
    known: z.boolean().meta({ description: 'Whether anybody has reported it. If not, `available` is null.' }),
    available: z.boolean().nullable().meta({ description: 'Whether the container can be collected.' }),
    since: timeOrNull('Since when.'),
  })
  .meta({ id: 'Availability', description: 'Whether the container can be collected.' });

const wireHold = statedHold
  .extend({ source, since: z.iso.datetime().meta({ description: 'Since when the hold has this status.' }) })
  .meta({ id: 'Hold', description: 'A hold of the container: the latest statement of its type.' });

const wireFee = z
  .strictObject({ ...feeFields, source })
  .meta({ id: 'Fee', description: 'A fee for the container: the latest statement of its type and currency.' });

const milestoneWords = {
  emptyOut: 'The empty container was picked up.',
  fullIn: 'It was delivered full for loading.',
  loaded: 'It was loaded at the port of loading.',
  departed: 'It departed from there.',
  arrived: 'It arrived at the port of discharge.',
  discharged: 'It was discharged there.',
  available: 'It could be collected.',
  fullOut: 'It was collected.',
  emptyIn: 'The empty container was returned.',
} as const satisfies Record<(typeof milestoneNames)[number], string>;

const wireMilestones = z
  .strictObject({
    empty_out: timeOrNull(milestoneWords.emptyOut),
    full_in: timeOrNull(milestoneWords.fullIn),
    loaded: timeOrNull(milestoneWords.loaded),
    departed: timeOrNull(milestoneWords.departed),
    arrived: timeOrNull(milestoneWords.arrived),
    discharged: timeOrNull(milestoneWords.discharged),
    available: timeOrNull(milestoneWords.available),
    full_out: timeOrNull(milestoneWords.fullOut),
    empty_in: timeOrNull(milestoneWords.emptyIn),
  })
  .meta({ id: 'Milestones', description: 'When it actually happened. Null: it has not been reported.' });

const wireLastFreeDay = z
  .strictObject({
    effective: dayOrNull('The day that counts: the manual one, otherwise that of terminal, line, or calculation.'),
    source: nullableEnum(freeDaySources, 'Where it comes from. Null if it is unknown.'),
    line: dayOrNull('As the shipping line reports it.'),
    terminal: dayOrNull('As the terminal reports it.'),
    calculated: dayOrNull('Calculated from your free-time terms.'),
    manual: dayOrNull('As you set it.'),
  })
  .meta({
    id: 'LastFreeDay',
    description: 'The last day without charges for collecting the container, as a day at the terminal, by source.',
  });

export const wireCost = z
  .strictObject({
    amount: feeFields.amount,
    currency: feeFields.currency,
    is_floor: z.boolean().meta({ description: 'Whether it may be more: tracking ended while the clock ran.' }),
  })
  .meta({ id: 'Cost', description: 'Cost so far.' });

const clockFields = {
  kind: openEnum(clockKinds, 'Kind of clock: days at the terminal, days until the empty return, or both together.'),
  state: openEnum(
    clockStates,
    '`expiring`: the last free day is near. `over`: it has passed. `unknown_terms`: the clock runs, or may run, and ' +
      'its last free day is unknown.',
  ),
  last_free_day: dayOrNull('The last day without charges, at the terminal. Null if unknown.'),
  days_left: z
    .int()
    .nullable()
    .meta({
      description:
        'Calendar days until the last free day: 0 on the day itself, negative after it. Null unless it runs.',
      examples: [3],
    }),
  cost: wireCost.nullable().meta({ description: 'Cost so far. Null if nothing is owed or the rates are unknown.' }),
};

const wireClock = z
  .strictObject({
    ...clockFields,
    started_at: timeOrNull('When it started.'),
    start_event_id: textOrNull('The event that started it.', 'evt_01h455vb4pex5vsknk084sn02q'),
    stopped_at: timeOrNull('When it stopped.'),
    free_days: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: 'Number of free days by your terms. Null if none apply.', examples: [5] }),
    counting: nullableEnum(['calendar', 'working'], 'Which days count as free days. Null if no terms apply.'),
    terms_source: nullableEnum(termsSources, 'Where the last free day comes from. Null if it is unknown.'),
    calendar: nullableEnum(
      calendarBases,
      'How sure the public holidays are with which the last free day was calculated. `checked`: by law or a published ' +
        'list. `provisional`: some are not published yet, or depend on the moon. `unchecked`: from one source. Null if ' +
        'it was not calculated from working days.',
    ),
  })
  .meta({ id: 'Clock', description: 'A clock of demurrage, detention, or both combined.' });

/** The members of a container about its free time. */
export const freeTimeFields = {
  availability: wireAvailability,
  holds: z.array(wireHold).meta({ description: 'Holds, also released ones, by type.' }),
  fees: z.array(wireFee).meta({ description: 'Fees as reported.' }),
  milestones: wireMilestones,
  last_free_day: wireLastFreeDay,
  clocks: z.array(wireClock).meta({
    description:
      'Clocks of demurrage and detention, or one that combines them. If a train took the container from the port to ' +
      'a ramp, there are two of demurrage: the first is that of the port. Empty if it is neither ocean nor rail, or ' +
      'was settled by a release that knew no clocks.',
  }),
};

/** The free time of a shipment. */
export const wireFreeTime = z
  .strictObject({
    state: openEnum(clockStates, 'The most urgent state of a clock.'),
    last_free_day: dayOrNull('The earliest last free day of the clocks that run.'),
    days_left: clockFields.days_left,
    costs: z.array(wireCost).meta({ description: 'Costs of all containers so far, one for each currency.' }),
    containers: z
      .array(
        z.strictObject({
          number: z.string().meta({ description: 'Container number.', examples: ['CSQU3054383'] }),
          ...clockFields,
        }),
      )
      .max(maxUrgentContainers)
      .meta({ description: `The containers whose clocks run, most urgent first, at most ${maxUrgentContainers}.` }),
    more: z
      .int()
      .min(0)
      .meta({ description: 'Number of further such containers.', examples: [0] }),
    unknown_terms: z
      .int()
      .min(0)
      .meta({
        description: 'Number of containers whose clock runs without known terms: their risk cannot be assessed.',
        examples: [0],
      }),
  })
  .nullable()
  .meta({
    id: 'FreeTime',
    description:
      'Free time (demurrage and detention) of all containers. Null without containers, and in other modes than ocean ' +
      'and rail.',
  });
