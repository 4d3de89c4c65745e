import { z } from 'zod';
import { transportModes } from '#shared/domain/events/transport-mode.ts';
import { delayBases, etaKinds, etaSources, exceptionCodes, statuses } from '#shared/domain/record/shipment.ts';
import { instant, instantOrNull, knownValues, openEnum, textOrNull } from '../schema-parts.ts';
import { freeTimeFields } from './free-time-parts.ts';
import { placeOrNull, timeOrNull, vehicleOrNull, wireTime, wireTimes } from './shipment-parts.ts';

export const delayHours = z
  .number()
  .nullable()
  .meta({
    description:
      'Whole hours from the first promise (the plan or estimate that Landfall received first) to the actual time, ' +
      'otherwise to the expected one. Full days if either is only a date. Negative if early, null if nothing was ' +
      'promised.',
    examples: [31],
  });

export const delayBasis = openEnum(delayBases, 'What the delay is counted from: the plan or the first estimate.')
  .nullable()
  .meta({
    description: `Reference of the delay. Null if nothing was promised. ${knownValues(delayBases)}`,
    examples: delayBases.slice(1),
  });

export const promisedTimes = wireTimes.extend({
  original_estimated: timeOrNull('First estimate that Landfall received.'),
  promised: timeOrNull('First promise: the plan or estimate that Landfall received first.'),
  delay_hours: delayHours,
  delay_basis: delayBasis,
});

export const wireArrival = promisedTimes
  .extend({
    eta_source: z
      .string()
      .nullable()
      .meta({
        description: 'Source of the estimate. Null without an estimate. More values may be added.',
        examples: ['carrier'],
      }),
  })
  .meta({ id: 'Arrival', description: 'Arrival at the final port, airport, ramp or terminal.' });

export const wireEta = z
  .strictObject({
    time: wireTime,
    kind: openEnum(etaKinds, 'Whether it is the arrival, or the delivery to the door.'),
    source: openEnum(etaSources, 'Source of the time.'),
  })
  .nullable()
  .meta({
    id: 'Eta',
    description:
      'When the cargo is expected, in every mode: the estimated arrival, otherwise the planned one, otherwise the ' +
      'expected delivery. `sort=eta`, `eta_from` and `eta_to` use it. Kept after it happened. Null if nothing is ' +
      'known.',
  });

export const wireLeg = z
  .strictObject({
    sequence: z
      .int()
      .min(1)
      .meta({ description: 'Position in the journey, from 1.', examples: [1] }),
    mode: openEnum(transportModes, 'Transport mode of the leg.'),
    from: placeOrNull('Where the leg begins.'),
    to: placeOrNull('Where the leg ends.'),
    vehicle: vehicleOrNull('The vessel or flight of the leg.'),
    departure: wireTimes,
    arrival: wireTimes,
    delay_hours: delayHours,
    delay_basis: delayBasis,
  })
  .meta({ id: 'Leg', description: 'Part of the journey between two stops.' });

export const wireContainer = z
  .strictObject({
    number: z.string().meta({ description: 'Container number.', examples: ['CSQU3054383'] }),
    iso_type: textOrNull('ISO 6346 size and type code.', '45G1'),
    status: openEnum(statuses, 'Where the container is.'),
    seals: z.array(z.string()).meta({ description: 'Seal numbers.', examples: [['SL1234567']] }),
    ...freeTimeFields,
  })
  .meta({ id: 'Container', description: 'A container of the shipment, given by you or reported by the carrier.' });

export const wireException = z
  .strictObject({
    code: openEnum(exceptionCodes, 'Type of exception.'),
    severity: openEnum(['info', 'warning', 'critical'], 'Severity.'),
    message: z
      .string()
      .meta({ description: 'Message of the carrier, otherwise a default one.', examples: ['Held by customs'] }),
    opened_at: instant('When it was opened, by the time of the event.'),
    resolved_at: instantOrNull('When it was resolved, by the time of the event. Null while it is open.'),
    event_id: textOrNull('The event that opened it. Null if none did.', 'evt_01h455vb4pex5vsknk084sn02q'),
    container: textOrNull('The container that it is about. Null for the whole shipment.', 'CSQU3054383'),
    piece: textOrNull(
      'Tracking number of the piece that it is about. Null for the whole shipment.',
      '1Z12345E0205271688',
    ),
  })
  .meta({
    id: 'Exception',
    description: 'A problem that holds up the cargo. It does not change `status`, because the cargo has not moved.',
  });

export const wireWarning = z
  .strictObject({
    code: z
      .string()
      .meta({ description: 'Type of warning. More values may be added.', examples: ['check_digit_mismatch'] }),
    field: z.string().meta({ description: 'The field it is about.', examples: ['identifiers.container'] }),
    detail: z.string().meta({ description: 'Explanation of the warning.' }),
    expected: textOrNull('The expected value.', '3'),
  })
  .meta({ id: 'Warning', description: 'Something unusual in your input. The input was accepted.' });
