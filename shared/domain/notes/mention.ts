import { decodeTypeId, encodeTypeId } from '../type-id.ts';

/** Different members that one note may mention. */
export const maxMentions = 20;

/** `@user_` and 26 characters, not as a part of a longer word such as an address. */
const mentionPattern = /(?<![\p{L}\p{N}_.+@-])@(user_[0-9a-hjkmnp-tv-z]{26})(?![\p{L}\p{N}_])/gu;

/** A note in parts: plain text, or the mention of a member (a uuid). Joined by `textOfParts`, they are the note again. */
export type NotePart = { text: string } | { userId: string };

/** Splits a note at its mentions. Whatever looks like one and names no possible id is plain text. */
export function readNoteParts(note: string): NotePart[] {
  const parts: NotePart[] = [];
  let end = 0;
  for (const match of note.matchAll(mentionPattern)) {
    const userId = decodeTypeId('user', match[1] ?? '');
    if (userId === null) continue;
    if (match.index > end) parts.push({ text: note.slice(end, match.index) });
    parts.push({ userId });
    end = match.index + match[0].length;
  }
  if (end < note.length) parts.push({ text: note.slice(end) });
  return parts;
}

/** The note with its mentions as `@user_…`: how it is stored and sent. */
export function textOfParts(parts: readonly NotePart[]): string {
  return parts.map((part) => ('text' in part ? part.text : mentionOf(part.userId))).join('');
}

/** Returns the text with which a note mentions a member. */
export function mentionOf(userId: string): string {
  return `@${encodeTypeId('user', userId)}`;
}

/** The members that a note mentions, each once, in the order in which they occur. */
export function mentionedIn(note: string): string[] {
  return [...new Set(readNoteParts(note).flatMap((part) => ('userId' in part ? [part.userId] : [])))];
}

/** The note as people read it, with names in place of ids. */
export function shownNote(note: string, names: ReadonlyMap<string, string>): string {
  return readNoteParts(note)
    .map((part) => ('text' in part ? part.text : `@${names.get(part.userId) ?? 'unknown member'}`))
    .join('');
}
