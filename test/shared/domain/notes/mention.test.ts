import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  mentionedIn,
  mentionOf,
  type NotePart,
  readNoteParts,
  shownNote,
  textOfParts,
} from '#shared/domain/notes/mention.ts';

const userId = fc.uuid();
/** Texts that may look like mentions. */
const pieces = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('@', '@user_', 'user_', '@user_01kahf3m2xfr5tq4d8z9w6c7y', '<b>', ' ', '\n', '.', '@@', 'é'),
);

/** Anything that can stand before and after a mention without being one word with it. */
const spaced = fc.array(
  fc.oneof(
    pieces,
    userId.map((id) => ` ${mentionOf(id)} `),
  ),
  { maxLength: 12 },
);

describe('mentions in notes', () => {
  it('reads every text into parts that are the text again', () => {
    fc.assert(
      fc.property(spaced, (parts) => {
        const text = parts.join('');
        expect(textOfParts(readNoteParts(text))).toBe(text);
      }),
    );
  });

  it('finds each separate mention once, in order', () => {
    fc.assert(
      fc.property(fc.array(userId, { maxLength: 8 }), fc.constantFrom(' ', '\n', ' (', ', '), (ids, between) => {
        const text = ids.map((id) => `${between.trimEnd() === '' ? '' : 'and'}${between}${mentionOf(id)}`).join(' ');
        expect(mentionedIn(text)).toEqual([...new Set(ids.map((id) => id.toLowerCase()))]);
      }),
    );
  });

  it('reads parts back from the text of parts that are apart', () => {
    const part = fc.oneof(
      fc.string({ minLength: 1, maxLength: 10 }).map((text): NotePart => ({ text: ` ${text.replaceAll('@', '')} ` })),
      userId.map((id): NotePart => ({ userId: id.toLowerCase() })),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
        const apart = parts.flatMap((one) => ('userId' in one ? [{ text: ' ' }, one, { text: ' ' }] : [one]));
        const found = readNoteParts(textOfParts(apart)).filter((one) => 'userId' in one);
        expect(found).toEqual(apart.filter((one) => 'userId' in one));
      }),
    );
  });

  it('does not change addresses, longer words, impossible ids and other prefixes', () => {
    const id = '01936f0e-8a5c-7b3d-9c4e-2f1a0b9c8d7e';
    const mention = mentionOf(id);
    for (const text of [
      `mail${mention}`,
      `a.b${mention}`,
      `@${mention}`,
      `${mention}x`,
      `${mention}é`,
      mention.toUpperCase(),
      mention.replace('user_', 'key_'),
      `@user_${'z'.repeat(26)}`,
      mention.slice(0, -1),
    ])
      expect(mentionedIn(text), text).toEqual([]);
    expect(mentionedIn(`(${mention}), ${mention}: “${mention}”.`)).toEqual([id]);
  });

  it('shows names in place of ids, with any characters', () => {
    const id = '01936f0e-8a5c-7b3d-9c4e-2f1a0b9c8d7e';
    const text = `Ask ${mentionOf(id)}.`;
    expect(shownNote(text, new Map([[id, '$& <b>Ada</b>']]))).toBe('Ask @$& <b>Ada</b>.');
    expect(shownNote(text, new Map())).toBe('Ask @unknown member.');
  });
});
