import { useMutation } from '@tanstack/react-query';
import { chosen } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { PageSection } from './page-section.tsx';
import { sendLive } from './send-live.ts';

const requests = [
  { path: '/v1/shipments?limit=1', returns: 'The newest shipment' },
  { path: '/v1/shipments/counts', returns: 'Counts by status' },
  { path: '/v1/events?after=latest&limit=1', returns: 'The latest position of the change feed' },
  { path: '/v1/carriers?q=maersk', returns: 'A carrier' },
] as const;

/** Requests sent with the session of the user. A key with the same scopes gets the same responses. */
export function LiveRequests() {
  return (
    <PageSection
      title="Try it"
      lead={`Sends read-only requests for your ${chosen.mode} shipments, with your session instead of a key.`}
    >
      <ul className="border-line border-t">
        {requests.map((request) => (
          <LiveRequest key={request.path} {...request} />
        ))}
      </ul>
    </PageSection>
  );
}

/** One request: its status, its duration and its response. */
function LiveRequest({ path, returns }: { path: string; returns: string }) {
  const sending = useMutation({ mutationFn: () => sendLive(path) });
  const response = sending.data;
  return (
    <li className="border-line border-b">
      <div className="flex min-h-10 items-center gap-x-3 py-1">
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
          <code className="min-w-0 break-all font-mono text-number">
            <span className="text-t3">GET </span>
            {path}
          </code>
          <span className="text-label text-t3">{returns}</span>
        </span>
        <span aria-live="polite" className="shrink-0 text-label tabular-nums">
          {response !== undefined && (
            <>
              <span className={response.ok ? 'text-green' : 'text-red'}>
                {response.status === 0 ? 'no response' : response.status}
              </span>
              <span className="text-t2"> · {response.ms} ms</span>
            </>
          )}
        </span>
        <Button busy={sending.isPending} onClick={() => sending.mutate()}>
          {response === undefined ? 'Send' : 'Send again'}
          <span className="sr-only"> GET {path}</span>
        </Button>
      </div>
      {response !== undefined && (
        <div className="pb-4">
          <CodeBlock name={response.requestId ?? 'Response'} code={response.body} />
        </div>
      )}
    </li>
  );
}
