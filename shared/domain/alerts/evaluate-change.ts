import type { ShipmentChange, ShipmentSnapshot } from '../feed/change.ts';
import { type SummaryStatedName, summaryStatedNames } from '../record/stated-fields.ts';
import { statusWords } from '../words/status-words.ts';
import type { AlertRules, StandingAlert } from './alert.ts';
import { dayWords, shiftWords, timeWords } from './shipment-words.ts';

/** A change with the shipment as the feed had it before. Null: it was not there. */
export type EvaluatedChange = { change: ShipmentChange; before: ShipmentSnapshot | null };

/** Membership of the shipment in the alert's view, before and after the change. */
export type ViewMembership = { before: boolean; after: boolean };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** True when a rule can be met by this change at all, so that the view need not be asked otherwise. */
export function mayMatter({ rules, subject }: StandingAlert, { change, before }: EvaluatedChange): boolean {
  const { data, type } = change;
  return (
    (subject.kind === 'view' && (rules.enters === true || rules.leaves === true)) ||
    reachesStatus(rules, data.shipment, before) ||
    (rules.etaMovedHours !== undefined && type === 'shipment.eta_changed') ||
    (rules.exception === true && type === 'shipment.exception_opened') ||
    (rules.freeTimeDays !== undefined && type === 'shipment.free_time_changed')
  );
}

/** The lines that notify the member of the change, one a rule. Empty: no rule applies. */
export function evaluateChange(
  { rules, subject }: StandingAlert,
  { change, before }: EvaluatedChange,
  membership: ViewMembership,
): string[] {
  const { changes, shipment } = change.data;
  const lines: string[] = [];
  if (subject.kind === 'view') {
    if (rules.enters === true && !membership.before && membership.after) lines.push(`Entered “${subject.name}”`);
    if (rules.leaves === true && membership.before && !membership.after) lines.push(`Left “${subject.name}”`);
  }
  if (!membership.before && !membership.after) return lines;
  if (reachesStatus(rules, shipment, before)) lines.push(`Status: ${statusWords[shipment.journey.status]}`);
  if (rules.etaMovedHours !== undefined && change.type === 'shipment.eta_changed') {
    const [old, now] = changes.eta ?? [null, null];
    const hours = old === null || now === null ? 0 : (Date.parse(now.at) - Date.parse(old.at)) / hourMs;
    if (old !== null && now !== null && Math.abs(hours) >= rules.etaMovedHours)
      lines.push(`ETA moved from ${timeWords(old)} to ${timeWords(now)} (${shiftWords(hours)})`);
  }
  if (rules.exception === true && change.type === 'shipment.exception_opened') {
    const [, opened] = changes.exception ?? [null, null];
    const where = opened?.container === null || opened?.container === undefined ? '' : ` (${opened.container})`;
    lines.push(`Exception: ${opened?.message ?? 'opened'}${where}`);
  }
  if (rules.freeTimeDays !== undefined && change.type === 'shipment.free_time_changed') {
    const day = shipment.journey.freeTime?.lastFreeDay ?? null;
    const isNews = day !== null && day !== (changes.lastFreeDay?.[0] ?? null);
    if (isNews && endsWithin(day, rules.freeTimeDays, Date.parse(change.createdAt))) lines.push(freeTimeLine(day));
  }
  return lines;
}

function reachesStatus(rules: AlertRules, shipment: ShipmentSnapshot, before: ShipmentSnapshot | null): boolean {
  const { status } = shipment.journey;
  return rules.statuses?.includes(status) === true && before?.journey.status !== status;
}

/** True for a last free day within so many days, by the calendar of UTC, or in the past. */
export function endsWithin(day: string, days: number, nowMs: number): boolean {
  return Date.parse(`${day}T00:00:00Z`) - days * dayMs <= nowMs;
}

export function freeTimeLine(day: string): string {
  return `Free time ends: the last free day is ${dayWords(day)}`;
}

/**
 * The snapshot before a change whose former one the feed no longer has: the fields whose old values the change states
 * have those, and the others are as after it.
 */
export function undone({ shipment, changes }: ShipmentChange['data']): ShipmentSnapshot {
  const { status, eta, trackingState, trackingReason, freshness, overdueHours, archived, needsAttention, assignee } =
    changes;
  return {
    ...shipment,
    ...formerStated(changes),
    ...(changes.identifiers && { identifiers: changes.identifiers[0] }),
    ...(changes.carrier && { carrier: changes.carrier[0] }),
    ...(overdueHours && { overdueHours: overdueHours[0] }),
    ...(needsAttention && { needsAttention: needsAttention[0] }),
    ...(assignee && { assignee: assignee[0] }),
    ...(archived && { archivedAt: archived[0] ? shipment.updatedAt : null }),
    tracking: {
      ...shipment.tracking,
      ...(trackingState && { state: trackingState[0] }),
      ...(trackingReason && { reason: trackingReason[0] }),
      ...(freshness && { freshness: freshness[0] }),
    },
    journey: {
      ...shipment.journey,
      ...(status?.[0] && { status: status[0] }),
      ...(eta && {
        eta: eta[0] === null || shipment.journey.eta === null ? null : { ...shipment.journey.eta, time: eta[0] },
      }),
    },
  };
}

function formerStated(changes: ShipmentChange['data']['changes']): Partial<Pick<ShipmentSnapshot, SummaryStatedName>> {
  return Object.fromEntries(summaryStatedNames.flatMap((name) => (changes[name] ? [[name, changes[name][0]]] : [])));
}
