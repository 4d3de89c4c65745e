import { z } from 'zod';
import { maxViewName, type SavedView, type ViewSettings } from '#shared/domain/alerts/saved-view.ts';
import { type InputMistake, LandfallError } from '#shared/domain/errors.ts';
import { encodeTypeId } from '#shared/domain/type-id.ts';
import { refusal } from '../input/input-mistakes.ts';
import { parseBody } from '../input/parse-body.ts';
import { parseId } from '../input/parse-id.ts';
import { plainText } from '../input/plain-text.ts';
import { sortField } from '../lists/filter-fields.ts';
import type { RawParams } from '../operation.ts';
import { filterMistakes, webhookFilter } from '../webhooks/webhook-filter.ts';

/** The list's URL in the dashboard: up to 20 parameters. */
const searchState = z
  .record(z.string().regex(/^[a-z_]{1,32}$/), plainText({ min: 0, max: 8192 }))
  .refine((search) => Object.keys(search).length <= 20, { error: 'must have at most 20 entries.' });

const fields = {
  name: plainText({ max: maxViewName }),
  shared: z.boolean(),
  search: searchState,
  /** Null: the list depends on the day on which it is read. */
  filter: webhookFilter.nullable(),
  sort: sortField,
};

export const saveViewBody = z.strictObject({ ...fields, shared: fields.shared.default(false) });
export const changeViewBody = z.strictObject(fields).partial();

/** `filter` is checked by itself, so that its mistakes name its own fields. */
function parseWithFilter<Schema extends z.ZodObject>(schema: Schema, body: unknown): z.output<Schema> {
  const parts = typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as { filter?: unknown }) : {};
  const { filter } = parts;
  const mistakes: InputMistake[] = filter === undefined || filter === null ? [] : filterMistakes(filter);
  if (mistakes.length > 0) throw refusal(mistakes);
  return parseBody(schema, body);
}

/** As sent: it is parsed again when it is used, so that a later release can read it differently. */
function asSent<Parsed extends { filter?: unknown }>(parsed: Parsed, body: unknown): Parsed {
  const { filter } = body as { filter?: unknown };
  return filter === undefined ? parsed : { ...parsed, filter };
}

export function parseSaveViewBody(body: unknown): ViewSettings {
  return asSent(parseWithFilter(saveViewBody, body), body) as ViewSettings;
}

export function parseChangeViewBody(body: unknown): Partial<ViewSettings> {
  const update = asSent(parseWithFilter(changeViewBody, body), body);
  if (Object.keys(update).length === 0) throw new LandfallError('validation_failed', 'Send at least one field.');
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined)) as Partial<ViewSettings>;
}

export function parseViewParams(params: RawParams): { viewId: string } {
  const missing = { prefix: 'view', code: 'view_not_found', detail: 'Saved view not found.' } as const;
  return { viewId: parseId(params, 'view_id', missing) };
}

export const wireSavedView = z.strictObject({
  id: z.string(),
  name: z.string(),
  shared: z.boolean(),
  /** True when the signed-in user saved it. */
  own: z.boolean(),
  /** True when the signed-in user may change and delete it. */
  editable: z.boolean(),
  /** The list's URL in the dashboard. */
  search: z.record(z.string(), z.string()),
  /** True when alerts can follow it: it does not depend on the day on which it is read. */
  followable: z.boolean(),
  /** Alerts of all members that follow it. */
  alerts: z.number().int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export const wireSavedViews = z.strictObject({ data: z.array(wireSavedView) });
export type WireSavedView = z.infer<typeof wireSavedView>;

export function toWireView(view: SavedView, reader: { userId: string; isOwner: boolean }): WireSavedView {
  const own = view.ownerId === reader.userId;
  return {
    id: encodeTypeId('view', view.id),
    name: view.name,
    shared: view.shared,
    own,
    editable: own || reader.isOwner,
    search: { ...view.search },
    followable: view.filter !== null,
    alerts: view.alerts,
    created_at: view.createdAt,
    updated_at: view.updatedAt,
  };
}
