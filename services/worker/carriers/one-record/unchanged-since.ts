import type { RefreshSubject } from '#shared/domain/tracking/refresh.ts';

/** A change in the minutes before the last reading was recorded may have been too late for it. */
const marginMs = 5 * 60_000;

/**
 * Whether `Last-Modified` lies well before the last reading. The carrier's clock (`Date`) is compared with the carrier's, ours with ours,
 * so that neither has to be right. False when the headers do not say.
 */
export function isUnchangedSince(
  headers: Headers,
  subject: Pick<RefreshSubject, 'polling' | 'clockOffsetMs'>,
  now: Date,
): boolean {
  const { lastSucceededAt } = subject.polling;
  const nowMs = now.getTime() + subject.clockOffsetMs;
  const carrierNowMs = headers.has('date') ? Date.parse(headers.get('date') ?? '') : nowMs;
  const modifiedMs = Date.parse(headers.get('last-modified') ?? '');
  if (lastSucceededAt === null || Number.isNaN(modifiedMs) || Number.isNaN(carrierNowMs)) return false;
  const readAgoMs = nowMs - Date.parse(lastSucceededAt);
  const modifiedAgoMs = carrierNowMs - modifiedMs;
  return modifiedAgoMs > readAgoMs + marginMs;
}
