import type { ReactNode } from 'react';
import type { WireCarrier } from '../../../api/wire.ts';
import { type FactRows, Facts } from '../../../parts/facts.tsx';
import { dayWords } from '../../../parts/time-words.ts';

/** Explains how to get credentials from the carrier, as far as it is publicly documented. */
export function OnboardingGuide({ carrier }: { carrier: WireCarrier }) {
  const { onboarding } = carrier;
  return (
    <section aria-labelledby="guide-title" className="border-line border-b p-5">
      <h3 id="guide-title" className="font-semibold text-section">
        How to get credentials
      </h3>
      {onboarding.sources.length === 0 ? (
        <p className="mt-1 text-t2">No public source describes it. Ask your contact at the carrier.</p>
      ) : (
        <>
          <Facts rows={stepsOf(onboarding)} className="mt-2 gap-y-1.5" />
          <p className="mt-2 text-label text-t3">
            {onboarding.checked_on === null
              ? 'From these sources, not all of them checked: '
              : `From public sources, read ${dayWords(onboarding.checked_on, null, Date.now())}: `}
            {onboarding.sources.map((url, index) => (
              <span key={url}>
                {index > 0 && ', '}
                <Outside url={url}>{new URL(url).hostname}</Outside>
              </span>
            ))}
          </p>
        </>
      )}
    </section>
  );
}

function stepsOf({
  portal_url: portal,
  product,
  who_may_apply: who,
  typical_days: days,
  docs_url: docs,
}: WireCarrier['onboarding']): FactRows {
  const unknown = <span className="text-t3">unknown</span>;
  return {
    'Register at': portal === null ? unknown : <Outside url={portal}>{shortUrl(portal)}</Outside>,
    'Apply for': product ?? unknown,
    'Who may apply': who ?? unknown,
    'Waiting time': days === null ? unknown : days === 0 ? 'none' : `up to ${days} working days`,
    Documentation: docs === null ? unknown : <Outside url={docs}>{shortUrl(docs)}</Outside>,
  };
}

function shortUrl(url: string): string {
  return url.replace(/^https:\/\/(www\.)?/, '').replace(/\/$/, '');
}

function Outside({ url, children }: { url: string; children: ReactNode }) {
  return (
    <a href={url} target="_blank" rel="noreferrer" className="break-all text-accent underline-offset-2 hover:underline">
      {children}
    </a>
  );
}
