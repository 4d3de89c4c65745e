import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { call } from '../../../api/call.ts';
import { queryClient } from '../../../api/query-client.ts';
import { Button } from '../../../parts/button.tsx';
import { ProblemNote, SectionProblem } from '../../../parts/page-states.tsx';
import { relativeWords } from '../../../parts/time-words.ts';
import { useNow } from '../../../parts/use-now.ts';
import { capital } from '../keys/scope-words.ts';
import { invitesQuery } from './members.ts';

/** Links that nobody has used yet. */
export function InvitesTable() {
  const now = useNow();
  const invites = useQuery(invitesQuery);
  const heading = useRef<HTMLHeadingElement>(null);
  const withdrawing = useMutation({
    mutationFn: (id: string) => call('withdrawInvite', { params: { invite_id: id } }),
    // The button goes with its row.
    onSuccess: () => heading.current?.focus(),
    onSettled: () => queryClient.invalidateQueries({ queryKey: invitesQuery.queryKey }),
  });
  if (invites.isError) return <SectionProblem error={invites.error} retry={() => invites.refetch()} />;
  const open = invites.data ?? [];
  return (
    <section aria-labelledby="invites-title">
      <h2
        ref={heading}
        tabIndex={-1}
        id="invites-title"
        className="flex h-8 items-center gap-2 border-line border-b bg-sunk px-4 text-label text-t3"
      >
        <span className="font-semibold text-t1">Invited</span>
        {invites.isPending
          ? ''
          : open.length === 0
            ? 'nobody waits'
            : `${open.length}, with a link that nobody has used yet`}
      </h2>
      {withdrawing.isError && <ProblemNote error={withdrawing.error} className="border-line border-b px-4 py-2.5" />}
      <ul>
        {open.map(({ id, email, role, invited_by: inviter, expires_at: expires }) => (
          <li key={id} className="flex min-h-10 items-center gap-2 border-line border-b px-4 py-1">
            <span className="min-w-0 flex-1">
              <span className="block truncate" title={email}>
                {email}
              </span>
              <span className="block truncate text-label text-t3 md:hidden">
                {capital(role)}, expires {relativeWords(expires, now)}
              </span>
            </span>
            <span className="w-28 text-t2 max-md:hidden">{capital(role)}</span>
            <span className="w-44 truncate text-t3 max-lg:hidden">by {inviter}</span>
            <span className="w-28 text-right text-t2 tabular-nums max-md:hidden">
              expires {relativeWords(expires, now)}
            </span>
            <Button
              kind="quiet"
              busy={withdrawing.isPending && withdrawing.variables === id}
              onClick={() => withdrawing.mutate(id)}
              aria-label={`Withdraw the invitation of ${email}`}
            >
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
