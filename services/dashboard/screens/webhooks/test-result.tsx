import type { AnswerOf } from '#shared/contract/operations.ts';
import { ProblemNote } from '../../parts/page-states.tsx';
import { StandingMark } from '../../parts/status-icons.tsx';
import { durationWords } from '../carriers/carrier-words.ts';
import { AnswerText } from './deliveries/every-try.tsx';
import { failureWords, outcomeWords } from './webhook-words.ts';

type Result = AnswerOf<'testWebhookEndpoint'>;

/** The response to the last test. Renders nothing before the first one. */
export function TestResult({ result, error }: { result: Result | undefined; error: unknown }) {
  if (error != null) return <ProblemNote error={error} className="border-line border-b px-4 py-3" />;
  if (result === undefined) return null;
  const why = failureWords(result);
  return (
    <div role="status" className="flex items-start gap-2.5 border-line border-b px-4 py-3">
      <span className="mt-[3px]">
        <StandingMark sign={why === null ? 'good' : 'bad'} />
      </span>
      <div className="min-w-0 max-w-3xl flex-1">
        <p>
          {why === null ? 'Test delivered' : 'Test failed'}: {outcomeWords(result)}
          {result.latency_ms !== null && ` after ${durationWords(result.latency_ms)}`}.{' '}
          {why !== null && <span className="text-t2">{why}</span>}
        </p>
        <AnswerText answer={result.every_try.at(-1)?.answer ?? null} />
      </div>
    </div>
  );
}
