import { queryOptions, useQuery } from '@tanstack/react-query';
import type { WireChange } from '#shared/contract/feed/change-wire.ts';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import type { Payload } from '#shared/domain/webhooks/endpoint.ts';
import { call } from '../../../api/call.ts';
import { CodeBlock } from '../../../parts/code-block.tsx';
import { ProblemNote } from '../../../parts/page-states.tsx';
import { SkeletonRows } from '../../../parts/skeleton.tsx';
import { Timestamp } from '../../../parts/timestamp.tsx';
import { numberLocale } from '../../../parts/words/locale.ts';
import { everyType, typeWords } from '../webhook-words.ts';
import type { EndpointDraft } from './endpoint-draft.ts';

/** Of the feed's newest changes. */
const maxSearched = 100;
const maxCharacters = 8000;

/** The request that a receiver gets, with the latest change of the chosen types. */
export function PayloadPreview({ draft }: { draft: EndpointDraft }) {
  const changes = useQuery(latestChangesQuery);
  const change = changes.data?.find(({ type }) => draft.types.includes(everyType) || draft.types.includes(type));
  const shipmentId = change === undefined ? null : shipmentOf(change);
  const record = useQuery({
    ...recordQuery(shipmentId ?? ''),
    enabled: draft.payload === 'full' && shipmentId !== null,
  });
  if (changes.isError) return <ProblemNote error={changes.error} retry={() => void changes.refetch()} />;
  if (record.isError) return <ProblemNote error={record.error} retry={() => void record.refetch()} />;
  if (changes.data === undefined || (record.isEnabled && record.data === undefined))
    return <SkeletonRows rows={8} cells={['w-3/4']} className="h-6" label="Loading: preview" />;
  if (change === undefined) {
    return (
      <p className="text-t2">
        None of the latest {maxSearched} changes has one of these types. The preview appears with the next one.
      </p>
    );
  }
  const body = JSON.stringify(previewBody(change, draft.payload, record.data ?? null), null, 2);
  return (
    <>
      <CodeBlock name="Headers" code={headersText(draft, change.id)} />
      <div className="mt-3">
        <CodeBlock name="Body" code={cutText(body)} />
      </div>
      <p className="mt-1.5 text-label text-t3">
        {typeWords(change.type)}, <Timestamp at={change.created_at} />. The body is sent without line breaks.
      </p>
    </>
  );
}

/** The body of a delivery of this change. `record`: the whole shipment, for `full`. */
export function previewBody(change: WireChange, payload: Payload, record: WireShipment | null): object {
  const head = { type: change.type, timestamp: change.created_at };
  if (payload === 'thin') {
    const { id, position, type } = change;
    return { ...head, data: { id, position, type, shipment_id: shipmentOf(change) } };
  }
  if (payload === 'summary' || record === null) return { ...head, data: change };
  return { ...head, data: { ...change, data: { ...change.data, shipment: record } } };
}

function shipmentOf({ data }: WireChange): string | null {
  return 'shipment' in data ? data.shipment.shipment_id : null;
}

function headersText({ url, headers }: EndpointDraft, id: string): string {
  const target = URL.canParse(url) ? new URL(url) : null;
  return [
    `POST ${target === null ? '/hooks' : `${target.pathname}${target.search}`}`,
    `host: ${target?.host ?? 'erp.example.com'}`,
    'content-type: application/json',
    `webhook-id: ${id}`,
    'webhook-timestamp: <seconds since 1970>',
    'webhook-signature: v1,<HMAC-SHA256 in base64>',
    ...headers.filter(({ name }) => name.trim() !== '').map(({ name }) => `${name.trim().toLowerCase()}: ***`),
  ].join('\n');
}

function cutText(text: string): string {
  if (text.length <= maxCharacters) return text;
  const cut = text.lastIndexOf('\n', maxCharacters);
  return `${text.slice(0, cut)}\n… ${(text.length - cut).toLocaleString(numberLocale())} more characters`;
}

/** Newest first. */
const latestChangesQuery = queryOptions({
  queryKey: ['webhooks', 'latest-changes'],
  queryFn: async () => {
    const { page } = await call('listChanges', { query: { after: 'latest', limit: 1 } });
    // One page: a position is one change, or none.
    const after = Math.max(page.oldest_position - 1, page.latest_position - maxSearched, 0);
    const { data } = await call('listChanges', { query: { after, limit: maxSearched } });
    return data.toReversed();
  },
});

function recordQuery(shipmentId: string) {
  return queryOptions({
    queryKey: ['webhooks', 'record', shipmentId],
    queryFn: () => call('getShipment', { params: { shipment_id: shipmentId } }),
  });
}
