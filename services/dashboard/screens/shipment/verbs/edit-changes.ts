import { joinTags, splitTags } from '#shared/contract/lists/tag-cell.ts';
import { allReferences } from '#shared/domain/record/references.ts';

export type Draft = {
  reference: string;
  /** Separated by `|`. */
  others: string;
  tags: string;
  metadata: readonly { key: string; value: string }[];
};
type Current = { references: readonly string[]; tags: readonly string[]; metadata: Record<string, string> };
export type Changes = {
  reference?: string | null;
  references?: string[];
  tags?: string[];
  metadata?: Record<string, string | null>;
};

/** The initial values of the form. */
export function draftOf({ references: [reference = '', ...others], tags, metadata }: Current): Draft {
  return {
    reference,
    others: joinTags(others),
    tags: tags.join(', '),
    metadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
  };
}

/** The distinct values of a comma-separated field. */
export function tagsOf(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '');
}

/**
 * The fields of a draft that differ from the record. Only these are sent, so that concurrent changes are not undone.
 */
export function changesOf(draft: Draft, current: Current): Changes {
  const reference = draft.reference.trim() === '' ? null : draft.reference.trim();
  const others = splitTags(draft.others);
  const hasSameOthers = JSON.stringify(others) === JSON.stringify(current.references.slice(1));
  const tags = tagsOf(draft.tags);
  const wanted = Object.fromEntries(
    draft.metadata.filter(({ key }) => key.trim() !== '').map(({ key, value }) => [key.trim(), value]),
  );
  const metadata: Record<string, string | null> = {};
  for (const [key, value] of Object.entries(wanted)) if (current.metadata[key] !== value) metadata[key] = value;
  for (const key of Object.keys(current.metadata)) if (!(key in wanted)) metadata[key] = null;
  return {
    ...(hasSameOthers ? {} : { references: allReferences(reference, others) }),
    ...(hasSameOthers && reference !== (current.references[0] ?? null) ? { reference } : {}),
    ...(JSON.stringify(tags) === JSON.stringify(current.tags) ? {} : { tags }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}
