import { Link } from '@tanstack/react-router';
import type { AnswerOf } from '#shared/contract/operations.ts';
import { StandingMark } from '../../../parts/status-icons.tsx';
import { momentWords, zoneWords } from '../../../parts/time-words.ts';
import { durationWords } from '../../carriers/carrier-words.ts';
import { useSession } from '../../session/use-session.ts';
import { failureWords, hasFailed, outcomeWords } from '../webhook-words.ts';

type Tries = AnswerOf<'getWebhookDelivery'>['every_try'];

/** Every try, the latest first. Operators can open its trace. */
export function EveryTry({ tries }: { tries: Tries }) {
  const { user } = useSession();
  if (tries.length === 0) return <p className="mt-6 text-t2">Not tried yet.</p>;
  return (
    <section aria-labelledby="tries-title" className="mt-6">
      <h3 id="tries-title" className="mb-1 font-semibold">
        {tries.length === 1 ? '1 try' : `${tries.length} tries`}
      </h3>
      <ol className="border-line border-t">
        {tries.toReversed().map((one, index) => {
          const why = index === 0 ? failureWords(one) : null;
          return (
            <li key={one.at} className="border-line border-b py-2">
              <div className="flex flex-wrap items-center gap-x-3">
                <StandingMark sign={hasFailed(one) ? 'bad' : 'good'} />
                <span className={hasFailed(one) ? '' : 'text-t2'}>{outcomeWords(one)}</span>
                <span className="text-t3 tabular-nums">
                  {one.latency_ms === null ? 'nothing sent' : durationWords(one.latency_ms)}
                </span>
                <time dateTime={one.at} className="text-t3 tabular-nums">
                  {momentWords(one.at, { seconds: true })} {zoneWords(one.at)}
                </time>
                {one.trace_id !== null &&
                  (user.is_operator ? (
                    <Link
                      to="/operations/traces/$traceId"
                      params={{ traceId: one.trace_id }}
                      className="ml-auto text-accent underline-offset-2 hover:underline"
                    >
                      Trace
                    </Link>
                  ) : (
                    <span className="ml-auto select-all font-mono text-number text-t3" title="Trace id">
                      {one.trace_id.slice(0, 8)}
                    </span>
                  ))}
              </div>
              {why !== null && <p className="mt-1 text-label text-t3">{why}</p>}
              <AnswerText answer={one.answer} />
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** The start of a response, as text: it is never rendered as anything else. */
export function AnswerText({ answer }: { answer: string | null }) {
  if (answer === null || answer === '') return null;
  return (
    <figure
      aria-label="Response"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      className="mt-2 max-h-48 overflow-auto rounded-control border border-line bg-sunk px-3 py-2"
    >
      <pre className="whitespace-pre-wrap break-words font-mono text-number">{answer}</pre>
    </figure>
  );
}
