import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fromDraft,
  suggested,
  toDraft,
  typedMention,
} from '#services/dashboard/screens/shipment/notes/mention-draft.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';

const person = (uuid: string, name: string) => ({ member_id: encodeTypeId('user', uuid), name });
const names = fc.constantFrom('Ann', 'Ann Lee', 'Ann-Marie', 'Łukasz Żak', '李 雷', '$& <b>', 'Anna (x)');
const people = fc
  .uniqueArray(fc.record({ uuid: fc.uuid(), name: names }), { selector: ({ uuid }) => uuid, maxLength: 6 })
  .map((all) => all.map(({ uuid, name }) => person(uuid, name)));

describe('drafts of notes', () => {
  it('give back the text that they were made from, also with names that begin or equal others', () => {
    const drafts = people.chain((known) =>
      fc.record({
        known: fc.constant(known),
        parts: fc.array(
          fc.oneof(
            fc.string({ maxLength: 8 }).map((text) => text.replaceAll('@', '')),
            ...(known.length === 0 ? [] : [fc.constantFrom(...known).map(({ member_id: id }) => `@${id}`)]),
          ),
          { maxLength: 8 },
        ),
      }),
    );
    fc.assert(
      fc.property(drafts, ({ known, parts }) => {
        const text = parts.join(' ');
        expect(fromDraft(toDraft(text, known), known)).toBe(text);
      }),
    );
  });

  it('mention by the longest name, and not within words or addresses', () => {
    const [ann, lee] = [
      person('01936f0e-8a5c-7b3d-9c4e-2f1a0b9c8d7e', 'Ann'),
      person('01936f0e-8a5c-7b3d-9c4e-2f1a0b9c8d7f', 'Ann Lee'),
    ];
    const sent = (draft: string) => fromDraft(draft, [ann, lee]);
    expect(sent('@Ann Lee, @Ann! @Annika mail@Ann @@Ann')).toBe(
      `@${lee.member_id}, @${ann.member_id}! @Annika mail@Ann @@Ann`,
    );
  });

  it('find the name at the caret, and the members whom it can mention', () => {
    expect(typedMention('ask @an', 7)).toEqual({ from: 4, typed: 'an' });
    expect(typedMention('ask @an', 3)).toBeNull();
    expect(typedMention('ops@an', 6)).toBeNull();
    expect(typedMention('@ ', 2)).toBeNull();
    const all = ['Zoë Anders', 'Anna Berg', 'Ben Ode'].map((name, index) =>
      person(`01936f0e-8a5c-7b3d-9c4e-2f1a0b9c8d7${index}`, name),
    );
    expect(suggested(all, 'an').map(({ label }) => label)).toEqual(['Anna Berg', 'Zoë Anders']);
    expect(suggested(all, 'zoe a').map(({ label }) => label)).toEqual(['Zoë Anders']);
    expect(suggested(all, 'Anna Berg')).toEqual([]);
    expect(suggested(all, '').length).toBe(3);
  });
});
