import type { WireBulkAction } from '#shared/contract/bulk/bulk-action-wire.ts';
import { numberLocale } from '../../../parts/words/locale.ts';

const running: Readonly<Record<string, string>> = {
  archive: 'Archiving',
  restore: 'Restoring',
  tag: 'Tagging',
  refresh: 'Requesting refreshes',
  resume: 'Resuming',
  stop: 'Stopping',
};

const done: Readonly<Record<string, string>> = {
  archive: 'archived',
  restore: 'restored',
  tag: 'tagged',
  refresh: 'queued for a refresh',
  resume: 'resumed',
  stop: 'stopped',
};

const stopped: Readonly<Record<string, string>> = {
  key_revoked: 'the key that started it was revoked',
  key_expired: 'the key that started it has expired',
  member_removed: 'the member who started it was removed',
  permission_lost: 'the member who started it may no longer change shipments',
};

/** Progress while it runs, then the result. */
export function bulkText(bulk: WireBulkAction): string {
  const { action, state, total, processed, changed, unchanged, failed, limited } = bulk;
  const verb = running[action] ?? action;
  if (state === 'finding') return `${verb}: ${shipments(total)} found so far`;
  if (state === 'running') return `${verb}: ${formatted(processed)} of ${shipments(total)}`;
  const parts = [`${shipments(changed)} ${done[action] ?? 'changed'}`];
  if (unchanged > 0) parts.push(`${formatted(unchanged)} unchanged`);
  if (failed > 0) parts.push(`${formatted(failed)} failed`);
  if (state === 'cancelled') parts.push(`cancelled after ${formatted(processed)} of ${formatted(total)}`);
  if (state === 'stopped') {
    const why = stopped[bulk.stop_reason ?? ''] ?? 'the key or member that started it lost access';
    parts.push(`stopped after ${formatted(processed)} of ${formatted(total)} because ${why}`);
  }
  if (limited) parts.push('the list has more shipments than one action may change');
  return `${parts.join(', ')}.`;
}

const maxReasons = 5;

/** Each reason of the listed failures once, with how many shipments it concerns. */
export function failureTexts({ failures, failed }: Pick<WireBulkAction, 'failures' | 'failed'>): string[] {
  const byDetail = [...Map.groupBy(failures, ({ detail }) => withoutNumbers(detail)).entries()];
  const texts = byDetail.slice(0, maxReasons).map(([, all]) => `${shipments(all.length)}: ${all[0]?.detail ?? ''}`);
  return failed > failures.length ? [...texts, `${formatted(failed - failures.length)} more are not listed.`] : texts;
}

/** "Retry in 540 s." is one reason, whatever the seconds. */
function withoutNumbers(detail: string): string {
  return detail.replace(/\d+/g, '#');
}

function shipments(count: number): string {
  return `${formatted(count)} ${count === 1 ? 'shipment' : 'shipments'}`;
}

function formatted(count: number): string {
  return count.toLocaleString(numberLocale());
}
