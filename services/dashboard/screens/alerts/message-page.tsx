import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { ErrorState } from '../../parts/page-states.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { messageQuery } from './alert-queries.ts';

const pageSize = 100;

/** Every update that one message contained. */
export function MessagePage() {
  const { messageId } = useParams({ strict: false }) as { messageId: string };
  const [offset, setOffset] = useState(0);
  const found = useQuery(messageQuery(messageId, offset));
  if (found.data === undefined)
    return (
      <>
        <PageHead title="Message" />
        {found.error && <ErrorState error={found.error} retry={() => void found.refetch()} />}
      </>
    );
  const { message, updates } = found.data;
  const last = Math.min(offset + pageSize, message.updates);
  return (
    <>
      <PageHead
        title={message.updates === 1 ? '1 update' : `${message.updates.toLocaleString(numberLocale())} updates`}
        count={<Timestamp at={message.created_at} exact />}
      >
        {message.updates > pageSize && (
          <>
            <span className="text-t3 tabular-nums">
              {offset + 1}–{last}
            </span>
            <Button disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - pageSize))}>
              Previous
            </Button>
            <Button disabled={last >= message.updates} onClick={() => setOffset(offset + pageSize)}>
              Next
            </Button>
          </>
        )}
        <Link to="/alerts" className="text-accent underline-offset-2 hover:underline">
          Your alerts
        </Link>
      </PageHead>
      {updates.length === 0 && <p className="px-4 py-5 text-t3">The updates in this message are no longer kept.</p>}
      <ul>
        {updates.map((update, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message never changes
          <li key={index} className="flex flex-wrap gap-x-4 gap-y-0.5 border-line border-b px-4 py-2">
            <div className="min-w-0 flex-1 basis-72">
              <a href={update.path} className="font-medium hover:underline">
                <bdi>{update.title}</bdi>
              </a>
              {update.lines.map((line) => (
                <p key={line}>
                  <bdi>{line}</bdi>
                </p>
              ))}
              {update.detail !== null && (
                <p className="text-t2">
                  <bdi>{update.detail}</bdi>
                </p>
              )}
            </div>
            <Timestamp at={update.at} className="text-t3" />
          </li>
        ))}
      </ul>
    </>
  );
}
