import { useMutation } from '@tanstack/react-query';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { sendLive } from './send-live.ts';

/** One request, its status and time, and what came back. */
export function LiveRequest({ path, says }: { path: string; says: string }) {
  const sending = useMutation({ mutationFn: () => sendLive(path) });
  const answer = sending.data;
  return (
    <li className="border-line border-b">
      <div className="flex min-h-10 items-center gap-x-3 py-1">
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
          <code className="min-w-0 break-all font-mono text-number">
            <span className="text-t3">GET </span>
            {path}
          </code>
          <span className="text-label text-t3">{says}</span>
        </span>
        <span aria-live="polite" className="shrink-0 text-label tabular-nums">
          {answer !== undefined && (
            <>
              <span className={answer.ok ? 'text-green' : 'text-red'}>
                {answer.status === 0 ? 'no answer' : answer.status}
              </span>
              <span className="text-t2"> · {answer.ms} ms</span>
            </>
          )}
        </span>
        <Button busy={sending.isPending} onClick={() => sending.mutate()}>
          {answer === undefined ? 'Send' : 'Again'}
          <span className="sr-only"> GET {path}</span>
        </Button>
      </div>
      {answer !== undefined && (
        <div className="pb-4">
          <CodeBlock name={answer.requestId ?? 'Answer'} code={answer.body} />
        </div>
      )}
    </li>
  );
}
