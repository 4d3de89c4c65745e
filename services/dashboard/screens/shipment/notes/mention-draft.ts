import { mentionOf, readNoteParts } from '#shared/domain/notes/mention.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import { labelled, type Person } from '../../../api/people-query.ts';

/** A note as it is written: `@` and names in place of ids. */
export function toDraft(text: string, people: readonly Person[]): string {
  const labels = new Map(labelled(people).map(({ memberId, label }) => [memberId, label]));
  return readNoteParts(text)
    .map((part) => {
      if ('text' in part) return part.text;
      const label = labels.get(encodeTypeId('user', part.userId));
      return label === undefined ? mentionOf(part.userId) : `@${label}`;
    })
    .join('');
}

/**
 * Converts a draft to the text to send: each `@` with the full name of a member becomes a mention. The longest name
 * wins.
 */
export function fromDraft(draft: string, people: readonly Person[]): string {
  const known = labelled(people).toSorted((one, other) => other.label.length - one.label.length);
  let text = '';
  for (let at = 0; at < draft.length; ) {
    const found =
      draft[at] === '@' && isStart(draft, at) ? known.find(({ label }) => isAt(draft, at, label)) : undefined;
    text += found === undefined ? draft[at] : `@${found.memberId}`;
    at += found === undefined ? 1 : found.label.length + 1;
  }
  return text;
}

/** The beginning of a mention that ends at the caret. `from`: where its `@` is. Null: there is none. */
export function typedMention(draft: string, caret: number): { from: number; typed: string } | null {
  const before = draft.slice(0, caret);
  const from = before.lastIndexOf('@');
  if (from === -1 || !isStart(draft, from)) return null;
  const typed = before.slice(from + 1);
  return /^[^\n@]{0,40}$/.test(typed) && !/^\s/.test(typed) ? { from, typed } : null;
}

/** The people whom what was typed may mean, at most `max`: the beginnings of names first. */
export function suggested(people: readonly Person[], typed: string, max = 6): { memberId: string; label: string }[] {
  const sought = fold(typed);
  const ranked = labelled(people).flatMap((one) => {
    const name = fold(one.label);
    // A complete name needs no suggestion.
    if (name === sought) return [];
    const rank = name.startsWith(sought) ? 0 : name.split(/\s+/).some((word) => word.startsWith(sought)) ? 1 : null;
    return rank === null ? [] : [{ ...one, rank }];
  });
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, max)
    .map(({ memberId, label }) => ({ memberId, label }));
}

/** True when a text mentions the member. */
export function mentions(text: string, memberId: string): boolean {
  const userId = decodeTypeId('user', memberId);
  return readNoteParts(text).some((part) => 'userId' in part && part.userId === userId);
}

function isStart(draft: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}_.+@-]$/u.test(draft.slice(0, at));
}

function isAt(draft: string, at: number, label: string): boolean {
  return draft.startsWith(label, at + 1) && !/^[\p{L}\p{N}_]/u.test(draft.slice(at + 1 + label.length));
}

function fold(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
