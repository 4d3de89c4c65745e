import { z } from 'zod';
import {
  type Alert,
  type AlertRules,
  type AlertSettings,
  channels,
  maxEtaHours,
  maxFailingHours,
  maxFreeTimeDays,
  maxSilentDays,
  timings,
} from '#shared/domain/alerts/alert.ts';
import { LandfallError } from '#shared/domain/errors.ts';
import { statuses } from '#shared/domain/record/shipment.ts';
import { decodeTypeId, encodeTypeId } from '#shared/domain/type-id.ts';
import { parseBody } from '../input/parse-body.ts';
import { parseId } from '../input/parse-id.ts';
import type { RawParams } from '../operation.ts';

const amount = (max: number) => z.int().min(1).max(max);

const rules = z.strictObject({
  enters: z.literal(true).optional(),
  leaves: z.literal(true).optional(),
  statuses: z.array(z.enum(statuses)).min(1).max(statuses.length).optional(),
  eta_moved_hours: amount(maxEtaHours).optional(),
  exception: z.literal(true).optional(),
  failing_hours: amount(maxFailingHours).optional(),
  silent_days: amount(maxSilentDays).optional(),
  free_time_days: amount(maxFreeTimeDays).optional(),
});
export type WireRules = z.infer<typeof rules>;

const fields = {
  rules,
  channels: z.array(z.enum(channels)).min(1).max(channels.length),
  timing: z.enum(timings),
  paused: z.boolean(),
};

export const createAlertBody = z.strictObject({
  view_id: z.string().max(40).optional(),
  shipment_id: z.string().max(40).optional(),
  ...fields,
  paused: fields.paused.default(false),
});
export const changeAlertBody = z.strictObject(fields).partial();

type Subject = { viewId: string | null; shipmentId: string | null };

/** Throws LandfallError, also `view_not_found` or `shipment_not_found` for an id that can't be one. */
export function parseCreateAlertBody(body: unknown): AlertSettings & Subject {
  const { view_id: view, shipment_id: shipment, ...settings } = parseBody(createAlertBody, body);
  if ((view === undefined) === (shipment === undefined))
    throw new LandfallError('validation_failed', 'Send either view_id or shipment_id.');
  return { ...settings, ...parseSubject({ view, shipment }), rules: fromWireRules(settings.rules) };
}

export function parseChangeAlertBody(body: unknown): Partial<AlertSettings> {
  const { rules: sent, ...update } = parseBody(changeAlertBody, body);
  const given = { ...update, ...(sent !== undefined && { rules: fromWireRules(sent) }) };
  if (Object.keys(given).length === 0) throw new LandfallError('validation_failed', 'Send at least one field.');
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<AlertSettings>;
}

export const listAlertsQuery = z.strictObject({
  view_id: z.string().max(40).optional(),
  shipment_id: z.string().max(40).optional(),
});

export function parseSubject({
  view,
  shipment,
}: {
  view?: string | undefined;
  shipment?: string | undefined;
}): Subject {
  const viewId = view === undefined ? null : decodeTypeId('view', view);
  const shipmentId = shipment === undefined ? null : decodeTypeId('shp', shipment);
  if (view !== undefined && viewId === null) throw new LandfallError('view_not_found', 'Saved view not found.');
  if (shipment !== undefined && shipmentId === null)
    throw new LandfallError('shipment_not_found', 'Shipment not found.');
  return { viewId, shipmentId };
}

export function parseAlertParams(params: RawParams): { alertId: string } {
  const missing = { prefix: 'alr', code: 'alert_not_found', detail: 'Alert not found.' } as const;
  return { alertId: parseId(params, 'alert_id', missing) };
}

export const wireAlert = z.strictObject({
  id: z.string(),
  subject: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('view'), view_id: z.string(), name: z.string() }),
    z.strictObject({ kind: z.literal('shipment'), shipment_id: z.string(), name: z.string() }),
  ]),
  rules,
  /** Empty: its mail was ended by a link, and it has no other channel. It is paused. */
  channels: z.array(z.enum(channels)),
  timing: z.enum(timings),
  paused: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export const wireAlerts = z.strictObject({ data: z.array(wireAlert) });
export type WireAlert = z.infer<typeof wireAlert>;

export function toWireAlert({ id, subject, rules: own, createdAt, updatedAt, ...settings }: Alert): WireAlert {
  return {
    id: encodeTypeId('alr', id),
    subject:
      subject.kind === 'view'
        ? { kind: 'view', view_id: encodeTypeId('view', subject.viewId), name: subject.name }
        : { kind: 'shipment', shipment_id: encodeTypeId('shp', subject.shipmentId), name: subject.name },
    rules: toWireRules(own),
    channels: [...settings.channels],
    timing: settings.timing,
    paused: settings.paused,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}

function fromWireRules(sent: WireRules): AlertRules {
  const { eta_moved_hours, failing_hours, silent_days, free_time_days, ...same } = sent;
  return defined({
    ...same,
    etaMovedHours: eta_moved_hours,
    failingHours: failing_hours,
    silentDays: silent_days,
    freeTimeDays: free_time_days,
  });
}

function toWireRules({
  etaMovedHours,
  failingHours,
  silentDays,
  freeTimeDays,
  statuses,
  ...same
}: AlertRules): WireRules {
  return defined({
    ...same,
    statuses: statuses === undefined ? undefined : [...statuses],
    eta_moved_hours: etaMovedHours,
    failing_hours: failingHours,
    silent_days: silentDays,
    free_time_days: freeTimeDays,
  });
}

function defined<Whole>(parts: { [Name in keyof Whole]: Whole[Name] | undefined }): Whole {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Whole;
}
