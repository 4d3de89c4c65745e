import type { Channel, StandingAlert, Timing } from '#shared/domain/alerts/alert.ts';
import { dueAt } from '#shared/domain/alerts/due-times.ts';
import type { EntryFacts, NewEntry } from '#shared/domain/alerts/entry.ts';
import type { MemberPreferences } from '#shared/store/alerts/alert-preferences.ts';

/** Immediate entries wait for others of the same burst. */
export const settling = { quietMs: 2000, maxMs: 10_000 };

/** One match of the alerts of several members. */
export type AlertMatch = {
  alert: Pick<StandingAlert, 'id' | 'userId' | 'channels' | 'timing'>;
  lines: readonly string[];
};
export type NoticeSubject = {
  key: string;
  shipmentId: string | null;
  factsOf: (lines: readonly string[]) => EntryFacts;
};

type Combined = { alertIds: string[]; lines: string[]; timings: Map<Channel, Timing> };

/**
 * The entries for one thing: each member is notified once by each channel of the alerts that match, and as soon as the
 * soonest of them asks for. E-mail is left out for members who have turned it off.
 */
export function entriesOf(
  subject: NoticeSubject,
  matches: readonly AlertMatch[],
  { people, nowMs }: { people: ReadonlyMap<string, MemberPreferences>; nowMs: number },
): NewEntry[] {
  const byPerson = Map.groupBy(matches, ({ alert }) => alert.userId);
  return [...byPerson].flatMap(([userId, own]) => {
    const person = people.get(userId);
    if (person === undefined) return [];
    const combined = combine(own, (timing) => dueAt(timing, nowMs, person));
    const facts = subject.factsOf(combined.lines);
    return [...combined.timings].flatMap(([channel, timing]) =>
      channel === 'email' && person.mailOffAt !== null
        ? []
        : [
            {
              userId,
              channel,
              key: subject.key,
              timing,
              dueAtMs: dueAt(timing, nowMs, person),
              alertIds: combined.alertIds,
              shipmentId: subject.shipmentId,
              facts,
            },
          ],
    );
  });
}

function combine(matches: readonly AlertMatch[], dueOf: (timing: Timing) => number): Combined {
  const timings = new Map<Channel, Timing>();
  for (const { alert } of matches) {
    for (const channel of alert.channels) {
      const known = timings.get(channel);
      if (known === undefined || dueOf(alert.timing) < dueOf(known)) timings.set(channel, alert.timing);
    }
  }
  return {
    alertIds: matches.map(({ alert }) => alert.id),
    lines: [...new Set(matches.flatMap(({ lines }) => lines))],
    timings,
  };
}
