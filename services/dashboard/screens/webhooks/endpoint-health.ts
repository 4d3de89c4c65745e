import type { WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { maxCountedBacklog } from '#shared/domain/webhooks/endpoint.ts';
import { numberLocale } from '../../parts/words/locale.ts';
import { shareWords } from '../carriers/carrier-words.ts';

const good = 0.99;
const poor = 0.95;

/** The share of tries that succeeded, with its colour. Null: there was none. */
export function successOf(share: number | null): { words: string; colour: string } {
  if (share === null) return { words: '–', colour: 'text-t3' };
  return { words: shareWords(share), colour: share >= good ? 'text-t2' : share < poor ? 'text-red' : 'text-amber' };
}

/** `–`, `12`, `1,000+`: what is still to be delivered. */
export function backlogWords({ backlog, state }: Pick<WireWebhookEndpoint, 'backlog' | 'state'>): string {
  const { changes, waiting } = backlog;
  if (changes + waiting === 0) return state === 'disabled' ? '–' : 'none';
  const isCut = changes >= maxCountedBacklog || waiting >= maxCountedBacklog;
  return `${(changes + waiting).toLocaleString(numberLocale())}${isCut ? '+' : ''} to send`;
}

type HourCounts = { hour: string; delivered: number; waiting: number; exhausted: number };

const hourMs = 3_600_000;
const shownHours = 24;

/** The last 24 hours, oldest first. The API leaves hours without deliveries out. */
export function everyHour(
  counted: readonly HourCounts[],
  now: number,
): { at: string; delivered: number; failed: number }[] {
  const known = new Map(counted.map((one) => [Date.parse(one.hour), one]));
  const latest = Math.floor(now / hourMs) * hourMs;
  return Array.from({ length: shownHours }, (_, index) => {
    const atMs = latest - (shownHours - 1 - index) * hourMs;
    const { delivered = 0, waiting = 0, exhausted = 0 } = known.get(atMs) ?? {};
    return { at: new Date(atMs).toISOString(), delivered, failed: waiting + exhausted };
  });
}
