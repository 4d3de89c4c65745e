import { useMutation } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { WireShipment } from '#shared/contract/record/shipment-schemas.ts';
import { groupIdentifier, leadingIdentifier } from '#shared/domain/words/group-identifier.ts';
import { call, chosen } from '../../api/call.ts';
import { ProblemError } from '../../api/problem-error.ts';
import { queryClient } from '../../api/query-client.ts';
import { Button, buttonClasses } from '../../parts/button.tsx';
import { useNow } from '../../parts/hooks/use-now.ts';
import { useLand } from '../../parts/land.ts';
import { PageHead, usePageTitle } from '../../parts/page-head.tsx';
import { EmptyState, ProblemNote } from '../../parts/page-states.tsx';
import { momentWords, zoneWords } from '../../parts/time-words.ts';
import { useAccount } from '../session/use-session.ts';
import { ContainerDetails } from './containers/container-details.tsx';
import { ContainersFact } from './containers/containers-fact.tsx';
import { AssigneeFact } from './facts/assignee-fact.tsx';
import { CargoFact } from './facts/cargo-fact.tsx';
import { DeliveryFact } from './facts/delivery-fact.tsx';
import { EtaFact } from './facts/eta-fact.tsx';
import { ExceptionsFact } from './facts/exceptions-fact.tsx';
import { PickupFact } from './facts/pickup-fact.tsx';
import { PiecesFact } from './facts/pieces-fact.tsx';
import { ProofList } from './facts/proof-list.tsx';
import { ReferenceFact } from './facts/reference-fact.tsx';
import { ReturnFact } from './facts/return-fact.tsx';
import { StatusFact } from './facts/status-fact.tsx';
import { TrackingFact } from './facts/tracking-fact.tsx';
import { NotesSection } from './notes/notes-section.tsx';
import { LocatedRoute } from './route/located-route.tsx';
import { ShipmentHead } from './shipment-head.tsx';
import { ShipmentSkeleton } from './shipment-skeleton.tsx';
import { Timeline } from './timeline/timeline.tsx';
import { useShipment } from './use-shipment.ts';

export function ShipmentPage() {
  const { shipmentId = '' } = useParams({ strict: false });
  const { as_of: asOf } = useSearch({ strict: false }) as { as_of?: unknown };
  const moment = typeof asOf === 'string' && asOf !== '' ? asOf : null;
  return <OneShipment key={`${shipmentId} ${moment}`} shipmentId={shipmentId} asOf={moment} />;
}

/** One shipment: its status, route, timeline and tracking. */
function OneShipment({ shipmentId, asOf }: { shipmentId: string; asOf: string | null }) {
  const { data, error, refetch } = useShipment(shipmentId, asOf);
  const land = useLand();
  const lead = data === undefined ? null : leadingIdentifier(data.shipment.identifiers);
  usePageTitle(lead === null ? 'Shipment' : groupIdentifier(lead.kind, lead.value));
  if (data === undefined) {
    if (error === null) return <ShipmentSkeleton />;
    if (asOf === null && error instanceof ProblemError && (error.status === 404 || error.status === 400))
      return <NoShipment shipmentId={shipmentId} />;
    return <ProblemNote error={error} retry={() => refetch()} className="p-4" />;
  }
  const { shipment } = data;
  return (
    <article className="flex min-h-full flex-col">
      <ShipmentHead shipment={shipment} />
      <ShipmentNotes shipment={shipment} error={error} />
      {/* On a phone in this order; on wide screens, both groups of facts beside the route and the timeline. */}
      <div className="flex-1 lg:grid lg:grid-cols-[minmax(0,1fr)_400px] lg:grid-rows-[auto_1fr] print:grid print:grid-cols-[minmax(0,1fr)_300px] print:grid-rows-[auto_1fr]">
        <div className={`${factsColumn} max-lg:border-b lg:row-start-1 print:row-start-1`}>
          <StatusFact shipment={shipment} />
          <EtaFact shipment={shipment} />
          <DeliveryFact shipment={shipment} proof={<ProofList shipment={shipment} />} />
          <PickupFact shipment={shipment} />
          <ReturnFact shipment={shipment} />
          <ExceptionsFact exceptions={shipment.exceptions} containers={shipment.containers} />
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1 print:col-start-1 print:row-span-2 print:row-start-1">
          <LocatedRoute shipment={shipment} land={land} />
          {shipment.as_of === null && <NotesSection shipment={shipment} />}
          <Timeline shipment={shipment} />
        </div>
        <div className={`${factsColumn} border-t lg:row-start-2 print:row-start-2`}>
          <AssigneeFact shipment={shipment} />
          <ContainersFact
            shipment={shipment}
            details={(container) => <ContainerDetails container={container} shipment={shipment} />}
          />
          <PiecesFact {...shipment} />
          <CargoFact shipment={shipment} />
          <ReferenceFact shipment={shipment} />
          {shipment.tracking !== null && <TrackingFact shipment={shipment} />}
        </div>
      </div>
    </article>
  );
}

const factsColumn = 'border-line lg:col-start-2 lg:border-l print:col-start-2';

/** Notes above the page: not updating, test shipment, archived. */
export function ShipmentNotes({ shipment, error }: { shipment: WireShipment; error: Error | null }) {
  const now = useNow();
  const { role } = useAccount();
  const restore = useMutation({
    mutationFn: () =>
      call('updateShipment', { params: { shipment_id: shipment.shipment_id }, body: { archived: false } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['shipment', shipment.shipment_id] }),
  });
  return (
    <>
      {error !== null && <Strip>This page is not updating: {error.message}</Strip>}
      {shipment.as_of !== null && (
        <Strip>
          <span>
            As it was known on {momentWords(shipment.as_of, { now })} {zoneWords(shipment.as_of)}.
          </span>
          <Link to="." search={{}} className="ml-auto text-accent hover:underline">
            Current record
          </Link>
        </Strip>
      )}
      {shipment.test && <Strip>Test shipment. Its journey is simulated.</Strip>}
      {shipment.archived_at !== null && (
        <Strip>
          <span>
            Archived on {momentWords(shipment.archived_at, { now })}. It is not in the lists and is no longer refreshed.
          </span>
          {role !== 'viewer' && (
            <Button className="ml-auto" busy={restore.isPending} onClick={() => restore.mutate()}>
              Restore
            </Button>
          )}
        </Strip>
      )}
      {restore.error !== null && <ProblemNote error={restore.error} className="border-line border-b px-4 py-2" />}
    </>
  );
}

function Strip({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-3 border-line border-b bg-sunk px-4 py-1 text-body text-t2">
      {children}
    </div>
  );
}

/** No shipment with this id: it may be mistyped, or belong to another account or mode. */
export function NoShipment({ shipmentId }: { shipmentId: string }) {
  const account = useAccount();
  return (
    <>
      <PageHead title="Shipment not found" />
      <EmptyState
        title="No shipment with this ID"
        action={
          <Link to="/" className={buttonClasses('primary')}>
            All shipments
          </Link>
        }
      >
        <p>
          {account.name} has no {chosen.mode} shipment{' '}
          <span className="break-all font-mono text-number text-t1">{shipmentId}</span>. It may belong to another
          account, or be a {chosen.mode === 'live' ? 'test' : 'live'} shipment. Use the account menu at the top left to
          switch.
        </p>
      </EmptyState>
    </>
  );
}
