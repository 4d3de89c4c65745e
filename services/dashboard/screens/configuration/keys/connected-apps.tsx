import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { WireApp } from '#shared/contract/apps/app-operations.ts';
import { call, ofAccount } from '../../../api/call.ts';
import { Button } from '../../../parts/button.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { Skeleton } from '../../../parts/skeleton.tsx';
import { Timestamp } from '../../../parts/timestamp.tsx';

/** The apps that were connected to a key, and how to disconnect each. */
export function ConnectedApps({ keyId }: { keyId: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const apps = useQuery({
    queryKey: ['apps', keyId],
    queryFn: () => call('listApps', { params: { api_key_id: keyId } }, ofAccount),
  });
  const ending = useMutation({
    mutationFn: (appId: string) => call('disconnectApp', { params: { app_id: appId } }, ofAccount),
    // The focused button is gone with its row.
    onSuccess: () => heading.current?.focus(),
    onSettled: () => apps.refetch(),
  });
  return (
    <section aria-labelledby="apps-title" className="border-line border-b p-5">
      <h3 id="apps-title" ref={heading} tabIndex={-1} className="font-semibold text-section">
        Connected apps
      </h3>
      {apps.isError && <ProblemNote error={apps.error} retry={() => apps.refetch()} className="mt-2" />}
      {apps.isPending && (
        <div role="status" aria-label="Loading connected apps" className="mt-3">
          <Skeleton className="w-2/3" />
        </div>
      )}
      {apps.data?.data.length === 0 && (
        <p className="mt-1 text-t2">
          None. An app is connected from the app itself: add <span className="font-mono text-label">/v1/mcp/oauth</span>{' '}
          of this installation to it, and choose this key.
        </p>
      )}
      {ending.isError && <ProblemNote error={ending.error} className="mt-2" />}
      <ul className="mt-2 flex flex-col gap-3 empty:hidden">
        {apps.data?.data.map((app) => (
          <li key={app.id} className="flex items-start gap-3">
            <div className="min-w-0 flex-1">
              <p className="break-words font-medium">{app.name ?? 'An app without a name'}</p>
              <p className="break-words text-label text-t3">
                {originWords(app)} · connected by {app.connected_by} <Timestamp at={app.connected_at} />
                {app.last_used_at !== null && (
                  <>
                    {' '}
                    · active <Timestamp at={app.last_used_at} />
                  </>
                )}
              </p>
            </div>
            <Button
              kind="danger"
              aria-label={`Disconnect ${app.name ?? 'the app without a name'}`}
              busy={ending.isPending && ending.variables === app.id}
              onClick={() => ending.mutate(app.id)}
            >
              Disconnect
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function originWords({ verified_host: host, redirect_hosts: hosts }: WireApp): string {
  return host === null ? `returns to ${hosts.join(', ')}` : `vouched for by ${host}`;
}
