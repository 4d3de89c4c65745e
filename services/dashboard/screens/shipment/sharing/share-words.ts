import type { AnswerOf } from '#shared/contract/operations.ts';
import type { SharePart } from '#shared/domain/shares/share.ts';
import { momentWords } from '../../../parts/time-words.ts';

export type WireShare = AnswerOf<'listShares'>['data'][number];

/** Parts of a page that it shows only if the owner chooses them. */
export const partNames: Readonly<Record<SharePart, { name: string; hint?: string }>> = {
  identifiers: { name: 'Numbers', hint: 'Bill of lading, tracking number, containers and pieces' },
  carrier: { name: 'Carrier', hint: 'With vessels and flights' },
  reference: { name: 'Your reference' },
  tags: { name: 'Tags' },
  metadata: { name: 'Metadata' },
};

export const expiryChoices = [7, 30, 90, 365] as const;

/** `30 days after delivery`. */
export function expiryName(days: number): string {
  return `${days} ${days === 1 ? 'day' : 'days'} after delivery`;
}

/** Words for the state and the expiry of a link. */
export function shareStateWords(share: WireShare): string {
  if (share.revoked_at !== null) return `Revoked ${momentWords(share.revoked_at)}`;
  if (share.state === 'expired') return 'Expired';
  if (share.expires_at !== null) return `Works until ${momentWords(share.expires_at)}`;
  return share.expires_after_days === null ? 'Works' : `Works until ${expiryName(share.expires_after_days)}`;
}

/** `Numbers, Carrier`. */
export function showsWords(shows: readonly string[]): string {
  return shows.length === 0
    ? 'Journey only'
    : `Journey, ${shows.map((part) => (partNames[part as SharePart]?.name ?? part).toLowerCase()).join(', ')}`;
}
