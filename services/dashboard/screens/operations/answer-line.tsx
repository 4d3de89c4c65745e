import { StandingMark } from '../../parts/marks.tsx';
import type { Answer } from './answer-sentence.ts';

/** The first thing to be read: whose fault it is. */
export function AnswerLine({ answer }: { answer: Answer }) {
  return (
    <div className="flex min-h-[52px] items-start gap-2.5 border-line border-b px-4 py-3.5">
      <span className="mt-[5px]">
        <StandingMark sign={answer.sign} />
      </span>
      <p role="status" className="min-w-0">
        <span className="mr-2 font-semibold text-title tracking-[-0.01em]">{answer.lead}</span>
        <span className="text-t2">{answer.because.join(' ')}</span>
      </p>
    </div>
  );
}
