import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { WireAlertMessage } from '#shared/contract/alerts/preferences-wire.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { numberLocale } from '../../parts/words/locale.ts';
import { messagesQuery } from './alert-queries.ts';
import { channelWords, stateWords } from './alert-words.ts';

const columns: readonly Column<WireAlertMessage>[] = [
  {
    key: 'message',
    name: 'Message',
    isRowHeader: true,
    cell: ({ id, kind, updates }) =>
      kind === 'trial' ? (
        <span className="text-t2">Test message</span>
      ) : (
        <Link to="/alerts/messages/$messageId" params={{ messageId: id }} className="text-accent hover:underline">
          {updates === 1 ? '1 update' : `${updates.toLocaleString(numberLocale())} updates`}
        </Link>
      ),
  },
  { key: 'channel', name: 'Channel', cell: ({ channel }) => channelWords[channel] },
  {
    key: 'state',
    name: 'State',
    cell: ({ state, reason }) => (
      <span className={state === 'failed' ? 'text-red' : state === 'sent' ? '' : 'text-t2'}>
        {reason === null ? stateWords[state] : `${stateWords[state]}: ${reason}`}
      </span>
    ),
  },
  {
    key: 'at',
    name: 'When',
    className: 'text-right',
    cell: ({ sent_at, created_at }) => <Timestamp at={sent_at ?? created_at} />,
  },
];

/** Lists the messages sent to the member in the last 30 days. */
export function MessagesSection() {
  const messages = useQuery(messagesQuery());
  return (
    <section aria-labelledby="messages" className="border-line border-t">
      <h2 id="messages" className="px-4 pt-5 pb-2 font-semibold text-section">
        Latest messages
      </h2>
      <Table
        caption="Latest messages"
        columns={columns}
        rows={messages.data?.data}
        rowKey={({ id }) => id}
        error={messages.error}
        retry={() => void messages.refetch()}
        empty={<p className="px-4 pb-6 text-t3">No messages in the last 30 days.</p>}
      />
    </section>
  );
}
