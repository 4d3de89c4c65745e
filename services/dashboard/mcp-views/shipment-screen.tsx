import type { GeoPermissibleObjects } from 'd3-geo';
import { type ReactNode, useMemo } from 'react';
import { feature } from 'topojson-client';
import topology from 'world-atlas/land-110m.json';
import type { DetailsResult } from '#shared/contract/mcp/details-result.ts';
import type { ViewedShipment } from '#shared/contract/mcp/view-data.ts';
import { leadingIdentifier } from '#shared/domain/words/group-identifier.ts';
import { locateIn } from '#shared/route-map/shown-route.ts';
import { placeName } from '#shared/route-map/stops.ts';
import { Button } from '../parts/button.tsx';
import { useNow } from '../parts/hooks/use-now.ts';
import { Icon, modeIcons } from '../parts/icon.tsx';
import { Identifier } from '../parts/identifier.tsx';
import { FreshnessMark, StatusGlyph } from '../parts/status-icons.tsx';
import { momentWords } from '../parts/time-words.ts';
import { Timestamp } from '../parts/timestamp.tsx';
import { wordOf } from '../parts/words/code-words.ts';
import { loadWords } from '../parts/words/measure-words.ts';
import { carrierMoment } from '../screens/shipment/carrier-time.ts';
import { ContainersFact } from '../screens/shipment/containers/containers-fact.tsx';
import { Fact } from '../screens/shipment/fact.tsx';
import { DeliveryFact } from '../screens/shipment/facts/delivery-fact.tsx';
import { EtaFact } from '../screens/shipment/facts/eta-fact.tsx';
import { ExceptionsFact } from '../screens/shipment/facts/exceptions-fact.tsx';
import { PickupFact } from '../screens/shipment/facts/pickup-fact.tsx';
import { PiecesFact } from '../screens/shipment/facts/pieces-fact.tsx';
import { ReturnFact } from '../screens/shipment/facts/return-fact.tsx';
import { StatusFact } from '../screens/shipment/facts/status-fact.tsx';
import { RouteSection } from '../screens/shipment/route/route-section.tsx';
import { eventName } from '../screens/shipment/timeline/event-words.ts';
import { TimelineList } from '../screens/shipment/timeline/timeline-list.tsx';
import { timelineRows } from '../screens/shipment/timeline/timeline-rows.ts';
import { ViewHead } from './view-head.tsx';
import type { Screen, ViewActions, ViewState } from './view-state.ts';

// The coarse coastlines of Natural Earth (1:110 million): a view may load nothing.
const land = feature(topology as never, (topology as never as { objects: { land: never } }).objects.land);

type Props = {
  details: DetailsResult;
  viewed: ViewedShipment;
  screen: Screen;
  state: ViewState;
  actions: ViewActions;
  /** Origin of the dashboard; null if it is not known. */
  address: string | null;
};

/** A result of `get_shipment_details`, drawn with the parts of the dashboard's own page. */
export function ShipmentScreen({ details, viewed, screen, state, actions, address }: Props) {
  const now = useNow();
  const { shipment, matched, cities } = viewed;
  const locate = useMemo(() => locateIn(cities), [cities]);
  const lead = leadingIdentifier(shipment.identifiers);
  const rows = timelineRows(shipment.events, { now });
  const isCut = shipment.events_count > shipment.events.length;
  const mayAsk = isCut && state.abilities.callsTools && screen.args !== null;
  const isAll = screen.args?.response_format === 'detailed';
  return (
    <article>
      <ViewHead
        title={
          <h1 className="flex min-w-0 items-center gap-2">
            <span title={shipment.transport_mode} className="inline-flex text-t2">
              <Icon name={modeIcons[shipment.transport_mode] ?? 'shipments'} />
              <span className="sr-only">{shipment.transport_mode} shipment </span>
            </span>
            {lead === null ? (
              <span className="break-all font-mono">{shipment.shipment_id}</span>
            ) : (
              <Identifier
                kind={lead.kind}
                value={lead.value}
                className="min-w-0 truncate text-title tracking-[-0.02em]"
              />
            )}
          </h1>
        }
        note={[shipment.reference, shipment.carrier_name, loadWords(shipment), shipment.test ? 'Test' : null]
          .filter((part) => part !== null && part !== '')
          .map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts have a fixed order
            <bdi key={index} className="min-w-0 max-w-full truncate">
              {part}
            </bdi>
          ))}
        screen={screen}
        state={state}
        actions={actions}
      >
        {address !== null && state.abilities.opensLinks && (
          <Button onClick={() => actions.openLink(`${address}/shipments/${shipment.shipment_id}`)}>
            Open in Landfall
          </Button>
        )}
      </ViewHead>
      {shipment.archived_at !== null && (
        <Strip>Archived on {momentWords(shipment.archived_at, { now })}. It is no longer refreshed.</Strip>
      )}
      <div className="md:grid md:grid-cols-[minmax(0,1fr)_min(42%,400px)] md:grid-rows-[auto_1fr]">
        <div className="border-line max-md:border-b md:col-start-2 md:row-start-1 md:border-l">
          <StatusFact shipment={shipment} />
          <Matched matched={matched} now={now} />
          {details.terminal !== undefined && (
            <Fact title="Terminal" value={details.terminal}>
              <p dir="auto">{details.terminal}</p>
            </Fact>
          )}
          <EtaFact shipment={shipment} />
          <DeliveryFact shipment={shipment} proof={<Proofs proof={shipment.delivery.proof} />} />
          <PickupFact shipment={shipment} />
          <ReturnFact shipment={shipment} />
          <ExceptionsFact exceptions={shipment.exceptions} containers={shipment.containers} />
        </div>
        <div className="min-w-0 md:col-start-1 md:row-span-2 md:row-start-1">
          <RouteSection shipment={shipment} land={land as GeoPermissibleObjects} locate={locate} />
          <section aria-label="Events" className="@container">
            <h2 className="flex min-h-10 items-center gap-3 border-line border-b px-6 font-semibold text-section max-sm:px-4">
              Events
              <span className="font-normal text-body text-t3 tabular-nums">{shipment.events_count}</span>
            </h2>
            {rows.length === 0 ? (
              <p className="px-6 py-4 text-t2 max-sm:px-4">No events from {shipment.carrier_name} yet.</p>
            ) : (
              <TimelineList rows={rows} shipment={shipment} isComplete={!isCut} />
            )}
          </section>
          {isCut && (
            <div className="flex flex-wrap items-center gap-3 px-6 pb-4 text-label text-t3 max-sm:px-4">
              {mayAsk && !isAll && (
                <Button busy={screen.busy !== null} onClick={actions.openAll}>
                  {screen.busy === 'refresh' ? 'Loading…' : 'Show more events'}
                </Button>
              )}
              <span>{`Shown: ${shipment.events.length} of ${shipment.events_count} events.`}</span>
            </div>
          )}
        </div>
        <div className="border-line border-t empty:hidden md:col-start-2 md:row-start-2 md:border-l">
          <ContainersFact shipment={shipment} />
          <PiecesFact {...shipment} />
          <Freshness tracking={shipment.tracking} because={details.stale_because} />
        </div>
      </div>
    </article>
  );
}

function Strip({ children }: { children: ReactNode }) {
  return <p className="border-line border-b bg-sunk px-4 py-2 text-body text-t2">{children}</p>;
}

/** The container, piece or bill that was asked for, where the shipment has many. */
function Matched({ matched, now }: { matched: ViewedShipment['matched']; now: number }) {
  if (matched === null) return null;
  const { type, number, status, last_event: event } = matched;
  const place = event?.location;
  const parts = [
    event === null ? '' : eventName(event.code),
    place === null || place === undefined ? '' : (placeName(place) ?? ''),
    place?.facility ?? '',
    event === null ? '' : carrierMoment(event.time, now),
  ];
  return (
    <Fact title={`${wordOf(type)} asked for`} value={matched}>
      <p className="flex items-center gap-2">
        <StatusGlyph status={status} />
        <Identifier kind={type} value={number} className="text-body" />
        <span>{wordOf(status)}</span>
      </p>
      <p className="mt-0.5 text-t2" dir="auto">
        {parts.filter((part) => part !== '').join(', ')}
      </p>
    </Fact>
  );
}

function Proofs({ proof }: { proof: readonly { id: string; kind: string }[] }) {
  return <>{[...new Set(proof.map(({ kind }) => wordOf(kind)))].join(', ')}</>;
}

type FreshnessProps = { tracking: ViewedShipment['shipment']['tracking']; because: string | undefined };

/** Shows the age of the data, and the reason when it is old. */
function Freshness({ tracking, because }: FreshnessProps) {
  if (tracking === null) return null;
  const { state, freshness, last_succeeded_at: at } = tracking;
  return (
    <Fact title="Tracking" value={[freshness, because]}>
      <p className="flex gap-2">
        <span className="mt-[5px]">
          <FreshnessMark freshness={freshness} />
        </span>
        <span className="min-w-0 break-words">
          {`${wordOf(state)}. `}
          {at === null ? 'No data from the carrier yet.' : <>Data of {<Timestamp at={at} exact />}.</>}
          {because !== undefined && freshness === 'stale' && ` Stale: ${because}.`}
        </span>
      </p>
    </Fact>
  );
}
