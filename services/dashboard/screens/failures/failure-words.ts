import type { TrackingReason } from '#shared/domain/record/shipment.ts';

/** The party that has to act before tracking works again. */
export type Actor = 'you' | 'carrier' | 'landfall';
export type Remedy = 'refresh' | 'correct' | 'credentials' | 'archive';

/** `what`: what is wrong. `how`: what to do, and what happens automatically. */
export type FailureWords = { title: string; what: string; how: string; actor: Actor; remedy: Remedy };

const retries = 'Landfall retries.';

const words: Record<TrackingReason, FailureWords> = {
  awaiting_events: {
    title: 'No events yet',
    what: 'Its events are pushed, and no source has pushed one yet.',
    how: 'Send its events to POST /v1/shipments/{shipment_id}/events.',
    actor: 'you',
    remedy: 'correct',
  },
  carrier_not_found_yet: {
    title: 'No carrier record yet',
    what: 'The carrier has no record of the number yet. Most appear within two days of the booking.',
    how: `${retries} If the problem persists, compare the number with your document.`,
    actor: 'carrier',
    remedy: 'refresh',
  },
  not_found: {
    title: 'Not found at the carrier',
    what: 'The carrier has no record of the number.',
    how: 'Compare the number with your document and correct it, or add another number.',
    actor: 'you',
    remedy: 'correct',
  },
  invalid_identifier: {
    title: 'Number rejected by the carrier',
    what: 'The carrier rejects the format of the number, so polling has stopped.',
    how: 'Compare the number with your document and correct it, or add another number.',
    actor: 'you',
    remedy: 'correct',
  },
  wrong_identifier_type: {
    title: 'Wrong kind of number',
    what: 'The carrier knows the number as another kind, such as a booking instead of a bill of lading.',
    how: 'Add it as the correct kind, or add another number for the shipment.',
    actor: 'you',
    remedy: 'correct',
  },
  carrier_not_supported: {
    title: 'Carrier not supported yet',
    what: 'This release has no connector for the carrier in this mode.',
    how: 'Archive the shipments, or track them elsewhere.',
    actor: 'landfall',
    remedy: 'archive',
  },
  carrier_unreachable: {
    title: 'Carrier unavailable',
    what: 'Several refreshes in a row got no response, or a server error.',
    how: `${retries} The last known state is kept.`,
    actor: 'carrier',
    remedy: 'refresh',
  },
  carrier_rate_limited: {
    title: 'Rate limited by the carrier',
    what: 'The carrier accepts fewer calls than these shipments need.',
    how: 'Landfall polls at the rate that the carrier allows. Refreshes are delayed, not lost.',
    actor: 'carrier',
    remedy: 'refresh',
  },
  carrier_auth_failed: {
    title: 'Credentials rejected',
    what: 'The carrier rejects the credentials. They were changed or have expired.',
    how: 'Set new credentials. Waiting shipments are then refreshed automatically.',
    actor: 'you',
    remedy: 'credentials',
  },
  credentials_missing: {
    title: 'Credentials missing',
    what: 'The carrier requires credentials, and none are set.',
    how: 'Set credentials. Waiting shipments are then refreshed automatically.',
    actor: 'you',
    remedy: 'credentials',
  },
  unrecognized_response: {
    title: 'Response not recognized',
    what: 'Landfall could not parse the carrier’s response. The last known state is kept.',
    how: 'This needs a fix in Landfall. Refresh to check whether it was temporary.',
    actor: 'landfall',
    remedy: 'refresh',
  },
  partial_response: {
    title: 'Response incomplete',
    what: 'The carrier returned only a part of its events. Events that are missing from it stay on the record.',
    how: `${retries} The refreshes of the shipment name the missing part.`,
    actor: 'carrier',
    remedy: 'refresh',
  },
  booking_cancelled: {
    title: 'Booking cancelled',
    what: 'The carrier reports the booking as cancelled.',
    how: 'Archive the shipments, or resume tracking if the booking was renewed.',
    actor: 'you',
    remedy: 'archive',
  },
  data_withheld: {
    title: 'Data withheld by the carrier',
    what: 'The carrier shares data only with the parties to the shipment.',
    how: 'Set the credentials of a party to the shipment.',
    actor: 'you',
    remedy: 'credentials',
  },
  no_updates_60d: {
    title: 'No updates for 60 days',
    what: 'Nothing changed for 60 days, so polling has stopped.',
    how: 'Resume tracking if the cargo is still moving. Otherwise archive the shipments.',
    actor: 'you',
    remedy: 'refresh',
  },
  superseded_by_new_journey: {
    title: 'Container on a new journey',
    what: 'The container was released for a new journey. The carrier’s data no longer belongs to this shipment.',
    how: 'Archive the shipments. Register the new journey if it is yours.',
    actor: 'you',
    remedy: 'archive',
  },
  stopped_by_client: {
    title: 'Stopped',
    what: 'A member or an API key of your account stopped tracking.',
    how: 'Resume tracking when you need it.',
    actor: 'you',
    remedy: 'refresh',
  },
  internal_error: {
    title: 'Internal error',
    what: 'Landfall failed to process the refresh. The carrier is not the cause.',
    how: `${retries} If the problem persists, contact your operator.`,
    actor: 'landfall',
    remedy: 'refresh',
  },
};

const unknown: FailureWords = {
  title: 'Not tracked',
  what: 'These shipments are not tracked on schedule. The reason is unknown.',
  how: 'Refresh them. If the problem persists, contact your operator.',
  actor: 'landfall',
  remedy: 'refresh',
};

/** Also for reasons that this release does not know. */
export function failureWords(reason: string | null): FailureWords {
  return (words as Record<string, FailureWords>)[reason ?? ''] ?? unknown;
}

export const actorWords: Record<Actor, string> = {
  you: 'Needs your action',
  landfall: 'Needs a fix in Landfall',
  carrier: 'Waiting for the carrier',
};

/** The label of a group's button. Tracking that has ended is resumed, anything else refreshed. */
export function remedyWords(remedy: Remedy, state: string): string {
  if (remedy === 'credentials') return 'Set credentials';
  if (remedy === 'correct') return 'Correct numbers';
  if (remedy === 'archive') return 'Archive';
  return state === 'failed' ? 'Resume tracking' : 'Refresh now';
}
