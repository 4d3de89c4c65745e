import type { TrackingReason } from '#shared/domain/shipments/shipment.ts';

/** Who has to move before a shipment is followed again. */
export type Actor = 'you' | 'carrier' | 'us';
export type Remedy = 'ask' | 'correct' | 'credentials' | 'archive';

/** `what`: what is wrong; `how`: what to do, and what happens by itself. */
export type FailureWords = { title: string; what: string; how: string; actor: Actor; remedy: Remedy };

const tryingOn = 'We go on trying by ourselves.';

const words: Record<TrackingReason, FailureWords> = {
  carrier_not_found_yet: {
    title: 'Not known at the carrier yet',
    what: 'The carrier has no record of these numbers; most are known within two days of the booking.',
    how: `${tryingOn} If it lasts, compare the number with your document.`,
    actor: 'carrier',
    remedy: 'ask',
  },
  not_found: {
    title: 'Not found at the carrier',
    what: 'The carrier says that it has no such number.',
    how: 'Compare the number with your document; add another number, or register the right one.',
    actor: 'you',
    remedy: 'correct',
  },
  invalid_identifier: {
    title: 'The carrier refuses the number',
    what: 'The number has a form that the carrier does not take, so it is not asked again.',
    how: 'Compare it with your document; add another number, or register the right one.',
    actor: 'you',
    remedy: 'correct',
  },
  wrong_identifier_type: {
    title: 'The number is of another kind',
    what: 'The carrier knows such numbers as another kind, such as a booking in place of a bill of lading.',
    how: 'Add it as what it is, or add another number of the shipment.',
    actor: 'you',
    remedy: 'correct',
  },
  carrier_not_supported: {
    title: 'The carrier cannot be followed yet',
    what: 'Nothing here speaks to this carrier in this mode.',
    how: 'We have to build it. Until then archive them, or follow them elsewhere.',
    actor: 'us',
    remedy: 'archive',
  },
  carrier_unreachable: {
    title: 'The carrier does not answer',
    what: 'The carrier gave no answer, or a fault of its own, several times in a row.',
    how: `${tryingOn} What was known is kept.`,
    actor: 'carrier',
    remedy: 'ask',
  },
  carrier_rate_limited: {
    title: 'The carrier asks us to slow down',
    what: 'The carrier takes fewer questions than there are shipments to ask about.',
    how: 'We ask at the pace it allows; each gets its turn.',
    actor: 'carrier',
    remedy: 'ask',
  },
  carrier_auth_failed: {
    title: 'The carrier refuses the credentials',
    what: 'The carrier does not accept what it is asked with; the credentials were changed, or have ended.',
    how: 'Set new ones. Everything that waits is asked by itself then.',
    actor: 'you',
    remedy: 'credentials',
  },
  credentials_missing: {
    title: 'Credentials are missing',
    what: 'The carrier answers only those whom it knows, and none are set for it.',
    how: 'Set them once. Everything that waits is asked by itself then.',
    actor: 'you',
    remedy: 'credentials',
  },
  unrecognized_response: {
    title: 'The answer could not be read',
    what: 'The carrier answered something that is not understood here. The last good state is kept.',
    how: 'We have to mend it. Asking again shows whether it was a passing fault.',
    actor: 'us',
    remedy: 'ask',
  },
  booking_cancelled: {
    title: 'The booking was cancelled',
    what: 'The carrier says that the booking is cancelled.',
    how: 'Archive them, or follow them again if the booking was renewed.',
    actor: 'you',
    remedy: 'archive',
  },
  data_withheld: {
    title: 'The carrier withholds the data',
    what: 'The carrier shows this shipment only to those who take part in it.',
    how: 'Set the credentials of a party to it.',
    actor: 'you',
    remedy: 'credentials',
  },
  no_updates_60d: {
    title: 'Silent for 60 days',
    what: 'Nothing has changed at the carrier for 60 days, so it is not asked any more.',
    how: 'Follow them again if they still move, else archive them.',
    actor: 'you',
    remedy: 'ask',
  },
  superseded_by_new_journey: {
    title: 'The container is on another journey',
    what: 'The container has been released for a new journey; what the carrier says is no longer about this one.',
    how: 'Archive them. Register the new journey if it is yours.',
    actor: 'you',
    remedy: 'archive',
  },
  stopped_by_client: {
    title: 'Stopped by you',
    what: 'Somebody of your account stopped following them.',
    how: 'Follow them again when they matter again.',
    actor: 'you',
    remedy: 'ask',
  },
  internal_error: {
    title: 'A fault of ours',
    what: 'Landfall failed while it looked; the carrier is not to blame.',
    how: `${tryingOn} If it lasts, tell whoever runs this installation.`,
    actor: 'us',
    remedy: 'ask',
  },
};

const unknown: FailureWords = {
  title: 'Not followed',
  what: 'These are not followed as planned, and no reason is known.',
  how: 'Ask again; if it lasts, tell whoever runs this installation.',
  actor: 'us',
  remedy: 'ask',
};

/** Also of reasons that the service learns to say later. */
export function failureWords(reason: string | null): FailureWords {
  return (words as Record<string, FailureWords>)[reason ?? ''] ?? unknown;
}

export const actorWords: Record<Actor, string> = { you: 'You', carrier: 'The carrier', us: 'Landfall' };

/** What the one button of a group says. A shipment that is not asked any more is followed again; the others are asked now. */
export function remedyWords(remedy: Remedy, state: string): string {
  if (remedy === 'credentials') return 'Set credentials';
  if (remedy === 'correct') return 'Correct numbers';
  if (remedy === 'archive') return 'Archive';
  return state === 'failed' ? 'Follow again' : 'Ask now';
}
