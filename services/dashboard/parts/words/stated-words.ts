import { exportFields } from '#shared/contract/lists/export-fields.ts';
import { type SnakeCase, snakeCase } from '#shared/domain/fold-text.ts';
import { type StatedName, statedNames } from '#shared/domain/record/stated-fields.ts';

type WireStatedName = SnakeCase<StatedName>;

/** The fields that clients state, by their names on the wire. */
const wireStatedNames: readonly WireStatedName[] = statedNames.map(snakeCase);

/** Their names for people, as exports have them. */
export const statedWords = Object.fromEntries(wireStatedNames.map((name) => [name, exportFields[name].name])) as Record<
  WireStatedName,
  string
>;

/** Texts that have no place of their own on the page of a shipment. */
export const statedTexts = wireStatedNames.filter(
  (name): name is Exclude<WireStatedName, 'reference' | 'references' | 'tags' | 'metadata'> =>
    name !== 'reference' && name !== 'references' && name !== 'tags' && name !== 'metadata',
);
