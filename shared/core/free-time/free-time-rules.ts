import { calendarBasisOf } from '#shared/calendars/calendar-basis.ts';
import { openCalendar } from '#shared/calendars/open-calendar.ts';
import { type FreeTimeRules, type FreeTimeTerm, noFreeTimeRules } from '#shared/domain/free-time/terms.ts';
import { readTerms, readTermsVersions, type TermsVersion } from '#shared/store/free-time/free-time-terms.ts';
import type { Tx } from '#shared/store/with-account.ts';
import type { CoreContext } from '../core-context.ts';

/** The rules of live and of test shipments of one account. */
export type AccountRules = (subject: { test: boolean }) => FreeTimeRules;

/**
 * The rules for the free time of an account's shipments. Terms are read again only when their version has changed, so
 * the rules are those of this moment. To write what they decide, call it after locking the shipments (see
 * `readTermsVersions`).
 */
export async function readFreeTimeRules(ctx: CoreContext, tx: Tx, accountId: string): Promise<AccountRules> {
  const versions = await readTermsVersions(tx, accountId);
  const known = new Map<boolean, FreeTimeRules>();
  for (const version of versions)
    known.set(version.test, await freeTimeRules(ctx, await termsOf(ctx, tx, { accountId, version })));
  const none = { ...noFreeTimeRules, nearDays: ctx.settings.freeTimeNearDays };
  return ({ test }) => known.get(test) ?? none;
}

/** The rules with these terms. Only terms of working days load the calendars. */
export async function freeTimeRules({ settings }: CoreContext, terms: readonly FreeTimeTerm[]): Promise<FreeTimeRules> {
  const needsCalendar = terms.some(({ counting, chargedDays }) => counting === 'working' || chargedDays === 'working');
  const nearDays = settings.freeTimeNearDays;
  if (!needsCalendar) return { ...noFreeTimeRules, terms, nearDays };
  return { terms, isWorkingDay: await openCalendar(), calendarBasis: calendarBasisOf, nearDays };
}

async function termsOf(
  { termsCache }: CoreContext,
  tx: Tx,
  { accountId, version: { test, version } }: { accountId: string; version: TermsVersion },
): Promise<readonly FreeTimeTerm[]> {
  const key = `${accountId} ${test}`;
  const cached = termsCache.get(key);
  if (cached?.version === version) return cached.terms;
  const stored = await readTerms(tx, accountId, { test });
  if (stored === null) return [];
  termsCache.set(key, { version: stored.version, terms: stored.terms });
  return stored.terms;
}
