import { usePageTitle } from '../../parts/page-head.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { StandingMark } from '../../parts/status-icons.tsx';
import { momentWords, zoneWords } from '../../parts/time-words.ts';
import { type Answer, answerOf } from './answer-sentence.ts';
import { ConnectorTable } from './connector-table.tsx';
import { FailureTable } from './failure-table.tsx';
import { FiveNumbers, figureNames } from './five-numbers.tsx';
import { useHistory, useOperations } from './operations-source.ts';
import { QueueTable } from './queue-table.tsx';
import { RefreshesPanel } from './refreshes-panel.tsx';

const unreadable: Answer = {
  sign: 'bad',
  lead: 'The state of this installation is unavailable.',
  note: 'Acknowledged work is not lost.',
  troubles: [],
};
const skeletonRows = 8;

/** Is it this installation, or a carrier? */
export function Operations() {
  usePageTitle('Operations');
  const { data: state, error, refetch } = useOperations();
  const { data: history } = useHistory();
  if (state === undefined) {
    return (
      <>
        <h1 className="sr-only">Operations</h1>
        {error === null ? <OperationsSkeleton /> : <AnswerLine answer={unreadable} />}
        {error !== null && <ProblemNote error={error} retry={() => void refetch()} className="p-4" />}
      </>
    );
  }
  return (
    <>
      <h1 className="sr-only">Operations</h1>
      <AnswerLine answer={answerOf(state)} />
      {error !== null && (
        <ProblemNote error={error} retry={() => void refetch()} className="border-line border-b px-4 py-2" />
      )}
      <FiveNumbers state={state} history={history} />
      <ConnectorTable state={state} history={history} />
      <RefreshesPanel state={state} />
      <div className="grid grid-cols-2 max-lg:grid-cols-1">
        <FailureTable state={state} />
        <QueueTable queues={state.queues} />
      </div>
      <p className="px-4 py-3 text-label text-t3">
        As of{' '}
        <time dateTime={state.as_of} title={state.as_of}>
          {momentWords(state.as_of, { seconds: true })} {zoneWords(state.as_of)}
        </time>
        , from the database, for all processes. Calls and latencies cover the last five minutes; the usual p95 covers
        the last two days. Bars and trend lines cover the last 24 hours; gaps are times without a worker.
      </p>
    </>
  );
}

function AnswerLine({ answer: { sign, lead, note, troubles } }: { answer: Answer }) {
  return (
    <div role="status" className="min-h-[52px] border-line border-b px-4 py-3.5">
      <p className="flex items-start gap-2.5">
        <span className="mt-[5px]">
          <StandingMark sign={sign} />
        </span>
        <span className="min-w-0">
          <span className="mr-2 font-semibold text-title tracking-[-0.01em]">{lead}</span>
          <span className="text-t2">{note}</span>
        </span>
      </p>
      {troubles.length > 0 && (
        <ul className="mt-1.5 flex flex-col gap-1 pl-6">
          {troubles.map(({ severity, connector, text }) => (
            <li key={`${connector} ${text}`} className="flex items-start gap-2">
              <span className="mt-[3px]">
                <StandingMark sign={severity} />
              </span>
              <span className="min-w-0">
                <span className="sr-only">{severity === 'bad' ? 'Problem: ' : 'Warning: '}</span>
                {text}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The page before its numbers, at their height. */
function OperationsSkeleton() {
  return (
    <div aria-hidden="true">
      <div className="h-[52px] border-line border-b px-4 py-3.5">
        <Skeleton className="w-72" />
      </div>
      <div className="grid grid-cols-5 gap-px border-line border-b bg-line max-lg:grid-cols-2">
        {figureNames.map((name) => (
          <div key={name} className="h-[88px] bg-bg px-4 py-4 max-lg:last:col-span-2">
            <p className="text-label text-t2">{name}</p>
            <Skeleton className="mt-3 w-16" />
          </div>
        ))}
      </div>
      <div className="h-10 border-line border-b" />
      <div className="h-8 border-line border-b max-md:hidden" />
      {Array.from({ length: skeletonRows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all rows are alike
        <div key={row} className="flex h-8 items-center gap-10 border-line border-b px-4 max-md:h-[57px]">
          <Skeleton className="w-28" />
          <Skeleton className="w-20" />
          <Skeleton className="w-48" />
        </div>
      ))}
    </div>
  );
}
