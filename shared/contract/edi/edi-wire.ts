import { z } from 'zod';
import { type EdiFault, type EdiReport, ediOutcomes, faultEffects } from '#shared/domain/events-in/edi-report.ts';
import { eventOutcomes } from '#shared/domain/events-in/event-row.ts';
import { count, openEnum, textOrNull } from '../schema-parts.ts';

const wireFault = z.strictObject({
  segment: z
    .int()
    .min(1)
    .nullable()
    .meta({
      description:
        'Number of the segment in its message from 1 (ST and UNH are 1), in the file for a mistake in an envelope; ' +
        'in Cargo-IMP the line. Null: the mistake is elsewhere.',
      examples: [4],
    }),
  tag: textOrNull('Tag of the segment.', 'B4'),
  reason: z.string().meta({ description: 'The mistake as a sentence.', examples: ['20260431 is not a date.'] }),
  effect: openEnum(
    faultEffects,
    'Effect of the mistake. `segment_left_out`: the message was recorded without this segment, on which the others ' +
      'don’t depend. `note`: the segment was recorded in part. With any other effect, the named part was not recorded.',
    ['message_refused'],
  ),
});

const wireMessage = z.strictObject({
  type: z.string().meta({ description: 'Type of the message.', examples: ['315'] }),
  control_number: z.string().meta({
    description: 'Control number of the message. Of a Cargo-IMP message the air waybill.',
    examples: ['0001'],
  }),
  group: textOrNull('Control number of its group.', '81466'),
  outcome: openEnum(
    ediOutcomes,
    'Outcome of the message. `taken`: all that it states is recorded. `partly_taken`: without the segments in ' +
      '`faults`. `no_shipment`: no open shipment has its numbers. `refused`: nothing was recorded because of a mistake.',
  ),
  events: z
    .array(
      z.strictObject({
        segment: z
          .int()
          .min(1)
          .meta({ description: 'The segment that states the event.', examples: [2] }),
        tag: z.string().meta({ description: 'Its tag.', examples: ['B4'] }),
        shipments: z
          .array(
            z.strictObject({
              shipment_id: z
                .string()
                .meta({ description: 'The shipment.', examples: ['shp_01kahf3m2xfr5tq4d8z9w6c7yb'] }),
              outcome: openEnum(eventOutcomes, 'Outcome of the event for the shipment, as in `POST /v1/events/batch`.'),
              event_id: textOrNull('The event.', 'evt_01h455vb4pex5vsknk084sn02q'),
            }),
          )
          .meta({ description: 'The shipments that it is about.' }),
      }),
    )
    .meta({ description: 'Recorded events.' }),
  faults: z.array(wireFault).meta({ description: 'Every mistake in the message.' }),
});

export const ediAnswer = z.strictObject({
  interchanges: z
    .array(
      z.strictObject({
        control_number: textOrNull('Control number of the interchange. Null in Cargo-IMP.', '000081466'),
        sender: textOrNull('Id of the sender in its header. Null in Cargo-IMP.', 'CMACGM'),
        receiver: textOrNull('Id of the receiver in its header. Null in Cargo-IMP.', 'ACME'),
        source_name: z
          .string()
          .meta({ description: 'The events have the `source` `client:` and this name.', examples: ['cmacgm'] }),
        messages: z.array(wireMessage).meta({ description: 'Its messages, in order.' }),
        faults: z.array(wireFault).meta({ description: 'Mistakes in its envelope.' }),
      }),
    )
    .meta({ description: 'The interchanges, in order. Cargo-IMP text is one.' }),
  summary: z
    .strictObject({
      messages: count('Messages in the body.', 2),
      taken: count('Messages that were taken.', 1),
      partly_taken: count('Messages that were taken without some segments.', 0),
      no_shipment: count('Messages about shipments that the account doesn’t track.', 0),
      refused: count('Refused messages.', 1),
      added: count('Events that are new, or replaced one.', 1),
      unchanged: count('Events that were known, voided or outdated.', 0),
    })
    .meta({ description: 'Number of messages and events by outcome.' }),
});

export type EdiAnswer = z.infer<typeof ediAnswer>;

export function toWireEdi({ interchanges }: EdiReport): EdiAnswer {
  const messages = interchanges.flatMap((interchange) => interchange.messages);
  const outcomes = messages.flatMap(({ events }) =>
    events.flatMap(({ shipments }) => shipments.map(({ outcome }) => outcome)),
  );
  const countOf = (outcome: string) => messages.filter((message) => message.outcome === outcome).length;
  const added = outcomes.filter((outcome) => outcome === 'added' || outcome === 'replaced').length;
  return {
    interchanges: interchanges.map((interchange) => ({
      control_number: interchange.control,
      sender: interchange.sender,
      receiver: interchange.receiver,
      source_name: interchange.sourceName,
      messages: interchange.messages.map(({ type, control, group, outcome, events, faults }) => ({
        type,
        control_number: control,
        group,
        outcome,
        events: events.map(({ segment, tag, shipments }) => ({
          segment,
          tag,
          shipments: shipments.map(({ shipmentId, outcome, eventId }) => ({
            shipment_id: shipmentId,
            outcome,
            event_id: eventId,
          })),
        })),
        faults: faults.map(toWireFault),
      })),
      faults: interchange.faults.map(toWireFault),
    })),
    summary: {
      messages: messages.length,
      taken: countOf('taken'),
      partly_taken: countOf('partly_taken'),
      no_shipment: countOf('no_shipment'),
      refused: countOf('refused'),
      added,
      unchanged: outcomes.length - added,
    },
  };
}

function toWireFault({ segment, tag, reason, effect }: EdiFault): z.infer<typeof wireFault> {
  return { segment, tag, reason, effect };
}
