import type { ManualFreeDay } from '../events/stated-free-time.ts';
import type { ShipmentChanges } from '../feed/change.ts';
import { mergeReferences } from '../record/references.ts';
import type { Shipment } from '../record/shipment.ts';
import { isSameStated, type StatedFields, type StatedName, statedNames } from '../record/stated-fields.ts';

/**
 * The fields that a client changes. Absent fields stay. Identifiers are not parsed yet: their rules depend on the shipment's
 * mode.
 */
export type ShipmentUpdate = {
  [Name in Exclude<StatedName, 'metadata'>]?: StatedFields[Name] | undefined;
} & {
  /** Joined to the references that stay. */
  referencesAdd?: string[] | undefined;
  tagsAdd?: string[] | undefined;
  tagsRemove?: string[] | undefined;
  /** Merged by key. Null for a key removes it; null as a whole removes all. */
  metadata?: Record<string, string | null> | null | undefined;
  identifiers?: Record<string, unknown> | undefined;
  /** Code, alias or name. */
  carrier?: string | undefined;
  /** Replaces all last free days that were set by hand. */
  manualFreeDays?: ManualFreeDay[] | undefined;
  /** The member's uuid. Null: nobody. */
  assignee?: string | null | undefined;
  archived?: boolean | undefined;
};

/** The stated fields after an update. */
export function mergeStated(present: StatedFields, update: ShipmentUpdate): StatedFields {
  const references = mergeReferences(present.references, update);
  const replaced = statedNames.map((name) => [name, update[name] === undefined ? present[name] : update[name]]);
  return {
    ...(Object.fromEntries(replaced) as StatedFields),
    reference: references[0] ?? null,
    references,
    tags: mergeTags(present.tags, update),
    metadata: mergeMetadata(present.metadata, update.metadata),
  };
}

/** The tags after an update: those that stay in their order, then the added ones. */
export function mergeTags(present: string[], { tags, tagsAdd = [], tagsRemove = [] }: ShipmentUpdate): string[] {
  if (tags !== undefined) return tags;
  return [...new Set([...present.filter((tag) => !tagsRemove.includes(tag)), ...tagsAdd])];
}

/** The metadata after an update. */
export function mergeMetadata(
  present: Record<string, string>,
  update: ShipmentUpdate['metadata'],
): Record<string, string> {
  if (update === undefined) return present;
  if (update === null) return {};
  const merged = new Map(Object.entries(present));
  for (const [key, value] of Object.entries(update)) {
    if (value === null) merged.delete(key);
    else merged.set(key, value);
  }
  return Object.fromEntries(merged);
}

/** The client's fields that differ, with old and new values. Empty: there is no visible change. */
export function clientChanges(before: Shipment, after: Shipment): ShipmentChanges {
  const changes: ShipmentChanges = {};
  for (const name of statedNames) Object.assign(changes, changeOf(name, before, after));
  if (!isSameStated(before.identifiers, after.identifiers)) {
    changes.identifiers = [before.identifiers, after.identifiers];
  }
  if (before.carrier !== after.carrier) changes.carrier = [before.carrier, after.carrier];
  const [daysBefore, daysAfter] = [before.manualFreeDays ?? [], after.manualFreeDays ?? []];
  if (!isSameStated(dayTexts(daysBefore), dayTexts(daysAfter))) changes.manualFreeDays = [daysBefore, daysAfter];
  const [assigneeBefore, assigneeAfter] = [before.assignee ?? null, after.assignee ?? null];
  if (assigneeBefore?.userId !== assigneeAfter?.userId) changes.assignee = [assigneeBefore, assigneeAfter];
  const [wasArchived, isArchived] = [before.archivedAt !== null, after.archivedAt !== null];
  if (wasArchived !== isArchived) changes.archived = [wasArchived, isArchived];
  return changes;
}

/** In whatever order they, and their fields, were sent or stored. */
function dayTexts(days: readonly ManualFreeDay[]): string[] {
  return days.map(({ container, kind, day }) => [container, kind, day].join(' ')).sort();
}

function changeOf(name: StatedName, before: Shipment, after: Shipment): ShipmentChanges {
  return isSameStated(before[name], after[name]) ? {} : { [name]: [before[name], after[name]] };
}
