import type { Timing } from '#shared/domain/alerts/alert.ts';
import type { EntryFacts } from '#shared/domain/alerts/entry.ts';
import type { OutgoingMessage } from '#shared/domain/alerts/outgoing.ts';
import { newerOffsetAt } from '#shared/domain/zone-rules.ts';

const digestNames: Record<Timing, string> = {
  at_once: '',
  hourly: 'Hourly digest',
  daily: 'Daily digest',
  weekdays: 'Daily digest',
};

/** Returns the subject and heading of the message. */
export function headingOf({ kind, timing, entries, count, test }: OutgoingMessage): string {
  const mode = test ? '[Test] ' : '';
  if (kind === 'trial') return `${mode}This channel works`;
  const [first] = entries;
  const digest = digestNames[timing];
  if (digest !== '') return `${mode}${digest}: ${updates(count)}`;
  if (count === 1 && first !== undefined) return `${mode}${first.facts.title}: ${first.facts.lines[0] ?? 'changed'}`;
  const titles = [...new Set(entries.map(({ facts }) => facts.title))];
  const [one = '', two] = titles;
  const others = count - 2;
  if (titles.length === 1) return `${mode}${one}: ${updates(count)}`;
  return `${mode}${updates(count)}: ${one}, ${two}${others > 0 ? ' and others' : ''}`;
}

export function updates(count: number): string {
  return count === 1 ? '1 update' : `${count.toLocaleString('en')} updates`;
}

/** A flood is one message with a count and a link: it lists nothing. */
export function listedOf({ entries, count }: OutgoingMessage): OutgoingMessage['entries'] {
  return count > entries.length ? [] : entries;
}

/** Returns the first sentence of the message. */
export function introOf({ kind, count, entries, accountName }: OutgoingMessage): string {
  if (kind === 'trial') return `Alerts of ${accountName} reach you here.`;
  if (count > entries.length) return `${updates(count)} for you in ${accountName}: too many for one message.`;
  return `${updates(count)} for you in ${accountName}.`;
}

/** Returns the address that the title of an entry links to. */
export function linkOf({ links }: OutgoingMessage, { path }: EntryFacts): string {
  const [address = '', anchor] = path.split('#');
  const query = address.includes('?') ? links.query.replace('?', '&') : links.query;
  return `${links.base}${address}${query}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** When it happened, by the recipient's clock. */
export function momentOf({ timeZone }: OutgoingMessage, at: string): string {
  const format: Intl.DateTimeFormatOptions = {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  };
  try {
    const zone = offsetName(newerOffsetAt(timeZone, Date.parse(at))) ?? timeZone;
    return new Intl.DateTimeFormat('en-GB', { ...format, timeZone: zone }).format(new Date(at));
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...format, timeZone: 'UTC' }).format(new Date(at));
  }
}

/** `-07:00`, where the rules of the zone are newer than the runtime's. */
function offsetName(offsetMs: number | null): string | null {
  if (offsetMs === null) return null;
  const minutes = Math.abs(offsetMs) / 60_000;
  const digits = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${offsetMs < 0 ? '-' : '+'}${digits.join(':')}`;
}
