import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { changeTypes } from '#shared/domain/feed/change-types.ts';
import { testType } from '#shared/domain/webhooks/delivery.ts';
import { Button } from '../../../parts/button.tsx';
import { Chip } from '../../../parts/chip.tsx';
import { InlineSelect } from '../../../parts/inputs/select.tsx';
import { EmptyState, ErrorState } from '../../../parts/page-states.tsx';
import { deliveriesQuery } from '../webhook-queries.ts';
import { typeWords } from '../webhook-words.ts';
import { DeliveryPanel } from './delivery-panel.tsx';
import { DeliveryTable } from './delivery-table.tsx';

const outcomes = [
  { outcome: 'delivered', name: 'Delivered' },
  { outcome: 'waiting', name: 'Waiting for a retry' },
  { outcome: 'exhausted', name: 'Exhausted' },
] as const;

const spans = [
  { hours: '1', name: 'Last hour' },
  { hours: '24', name: 'Last 24 hours' },
  { hours: '', name: 'All kept' },
] as const;

type Search = { outcome?: string; type?: string; shipment?: string; hours?: string; delivery?: string };

/** The deliveries of an endpoint, filtered, newest first. The URL names the filters and the open one. */
export function Deliveries({ endpointId }: { endpointId: string }) {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = (more: Search) =>
    navigate({
      to: '.',
      search: (before: object) =>
        Object.fromEntries(Object.entries({ ...before, ...more }).filter(([, value]) => value !== '')),
      replace: true,
      resetScroll: false,
    } as never);
  const deliveries = useInfiniteQuery(deliveriesQuery(endpointId, search));
  const isFiltered = [search.outcome, search.type, search.shipment, search.hours].some((one) => one !== undefined);
  const rows = deliveries.data?.pages.flatMap(({ data }) => data);
  return (
    <section aria-labelledby="deliveries-title" className="min-w-0 flex-1">
      <search className="flex min-h-[44px] flex-wrap items-center gap-2 border-line border-b px-4 py-2">
        <h2 id="deliveries-title" className="mr-2 font-semibold text-section">
          Deliveries
        </h2>
        {outcomes.map(({ outcome, name }) => (
          <Chip
            key={outcome}
            active={search.outcome === outcome}
            onClick={() => set({ outcome: search.outcome === outcome ? '' : outcome })}
          >
            {name}
          </Chip>
        ))}
        <InlineSelect
          label="Type"
          className="w-[170px]"
          value={search.type ?? ''}
          onChange={({ target }) => set({ type: target.value })}
        >
          <option value="">Any type</option>
          {[...changeTypes, testType].map((type) => (
            <option key={type} value={type}>
              {typeWords(type)}
            </option>
          ))}
        </InlineSelect>
        <InlineSelect
          label="Time"
          className="w-[130px]"
          value={search.hours ?? ''}
          onChange={({ target }) => set({ hours: target.value })}
        >
          {spans.map(({ hours, name }) => (
            <option key={hours} value={hours}>
              {name}
            </option>
          ))}
        </InlineSelect>
        {search.shipment !== undefined && (
          <Chip active onClick={() => set({ shipment: '' })}>
            Shipment …{search.shipment.slice(-8)}
          </Chip>
        )}
      </search>
      <DeliveryTable
        deliveries={rows}
        selectedId={search.delivery ?? null}
        error={deliveries.isFetchNextPageError ? null : deliveries.error}
        retry={() => void deliveries.refetch()}
        empty={
          isFiltered ? (
            <EmptyState
              title="No matching deliveries"
              action={
                <Button onClick={() => set({ outcome: '', type: '', shipment: '', hours: '' })}>Remove filters</Button>
              }
            />
          ) : (
            <EmptyState title="No deliveries yet">
              They appear here with the next change that matches. “Send test” sends a test now.
            </EmptyState>
          )
        }
      />
      {deliveries.isFetchNextPageError && (
        <ErrorState error={deliveries.error} retry={() => void deliveries.fetchNextPage()} />
      )}
      {deliveries.hasNextPage && !deliveries.isFetchNextPageError && (
        <div className="p-4">
          <Button busy={deliveries.isFetchingNextPage} onClick={() => void deliveries.fetchNextPage()}>
            {deliveries.isFetchingNextPage ? 'Loading' : 'Load earlier deliveries'}
          </Button>
        </div>
      )}
      {search.delivery !== undefined && (
        <DeliveryPanel
          key={search.delivery}
          endpointId={endpointId}
          deliveryId={search.delivery}
          close={() => set({ delivery: '' })}
        />
      )}
    </section>
  );
}
