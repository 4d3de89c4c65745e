import { useQuery } from '@tanstack/react-query';
import { usePageTitle } from '../../parts/page-head.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { momentWords } from '../../parts/time-words.ts';
import { AnswerLine } from './answer-line.tsx';
import { answerOf } from './answer-sentence.ts';
import { ConnectorTable } from './connector-table.tsx';
import { FiveNumbers } from './five-numbers.tsx';
import { ForOperators } from './for-operators.tsx';
import { operationsQuery } from './operations-query.ts';
import { OperationsSkeleton } from './operations-skeleton.tsx';
import { QueueTable } from './queue-table.tsx';
import { RefreshesPanel } from './refreshes-panel.tsx';
import { seenSamples } from './samples.ts';

/** Is it us, or the carrier? For operators. */
export function OperationsPage() {
  return (
    <ForOperators>
      <Operations />
    </ForOperators>
  );
}

function Operations() {
  usePageTitle('Operations');
  const { data: state, error, refetch } = useQuery(operationsQuery);
  if (state === undefined) {
    return error === null ? (
      <>
        <h1 className="sr-only">Operations</h1>
        <OperationsSkeleton />
      </>
    ) : (
      <>
        <h1 className="sr-only">Operations</h1>
        <AnswerLine
          answer={{
            sign: 'bad',
            lead: 'It is us.',
            because: ['How the installation does cannot be read. Nothing that was acknowledged is lost.'],
          }}
        />
        <ProblemNote error={error} retry={() => void refetch()} className="p-4" />
      </>
    );
  }
  const samples = seenSamples();
  const since = new Date(samples[0]?.at ?? Date.parse(state.as_of)).toISOString();
  return (
    <>
      <h1 className="sr-only">Operations</h1>
      <AnswerLine answer={answerOf(state)} />
      {error !== null && (
        <ProblemNote error={error} retry={() => void refetch()} className="border-line border-b px-4 py-2" />
      )}
      <FiveNumbers state={state} samples={samples} />
      <section aria-label="Carriers">
        <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-1">
          <h2 className="font-semibold text-section">Carriers</h2>
          <span className="text-label text-t3">worst first, {state.connectors.length.toLocaleString('en')}</span>
          <span className="ml-auto flex flex-wrap items-center gap-x-4 text-label text-t2 max-md:hidden">
            <Key className="bg-bar" word="answered" />
            <Key className="hatched bg-amber" word="slowed down" />
            <Key className="bg-red" word="failed" />
          </span>
        </div>
        <ConnectorTable state={state} />
      </section>
      <RefreshesPanel state={state} />
      <QueueTable queues={state.queues} />
      <p className="px-4 py-3 text-label text-t3">
        As of {momentWords(state.as_of, { seconds: true })}, from what all processes wrote. The lines beside the numbers
        show what this page has seen since {momentWords(since)}: the service keeps no history of them.
      </p>
    </>
  );
}

function Key({ className, word }: { className: string; word: string }) {
  return (
    <span className="flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-2 rounded-bar ${className}`} />
      {word}
    </span>
  );
}
