import { useParams } from '@tanstack/react-router';
import { ProblemError } from '../../api/problem-error.ts';
import { groupIdentifier } from '../../parts/group-identifier.ts';
import { leadingIdentifier } from '../../parts/leading-identifier.ts';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';
import { ContainersFact } from './containers-fact.tsx';
import { EtaFact } from './eta-fact.tsx';
import { ExceptionsFact } from './exceptions-fact.tsx';
import { NoShipment } from './no-shipment.tsx';
import { ReferenceFact } from './reference-fact.tsx';
import { RouteSection } from './route-section.tsx';
import { ShipmentHead } from './shipment-head.tsx';
import { ShipmentNotes } from './shipment-notes.tsx';
import { ShipmentSkeleton } from './shipment-skeleton.tsx';
import { StatusFact } from './status-fact.tsx';
import { Timeline } from './timeline.tsx';
import { useShipment } from './use-shipment.ts';
import { VisibilityFact } from './visibility-fact.tsx';

export function ShipmentPage() {
  const { shipmentId = '' } = useParams({ strict: false });
  return <OneShipment key={shipmentId} shipmentId={shipmentId} />;
}

/** Where one shipment is, and whether that can be believed. */
function OneShipment({ shipmentId }: { shipmentId: string }) {
  const { data, error, refetch } = useShipment(shipmentId);
  const lead = data === undefined ? null : leadingIdentifier(data.shipment.identifiers);
  usePageTitle(lead === null ? 'Shipment' : groupIdentifier(lead.kind, lead.value));
  if (data === undefined) {
    if (error === null) return <ShipmentSkeleton />;
    if (error instanceof ProblemError && (error.status === 404 || error.status === 400))
      return <NoShipment shipmentId={shipmentId} />;
    return <ProblemNote error={error} retry={() => refetch()} className="p-4" />;
  }
  const { shipment } = data;
  return (
    <article className="flex min-h-full flex-col">
      <ShipmentHead shipment={shipment} />
      <ShipmentNotes shipment={shipment} error={error} />
      {/* First in the order of reading, and on a phone; beside the route where there is room. */}
      <div className="flex-1 lg:grid lg:grid-cols-[minmax(0,1fr)_400px] print:grid print:grid-cols-[minmax(0,1fr)_300px]">
        <div className="border-line lg:col-start-2 lg:row-start-1 lg:border-l max-lg:border-b print:col-start-2 print:row-start-1">
          <StatusFact shipment={shipment} />
          <EtaFact shipment={shipment} />
          <ExceptionsFact exceptions={shipment.exceptions} />
          <ContainersFact containers={shipment.containers} container_status_counts={shipment.container_status_counts} />
          <VisibilityFact shipment={shipment} />
          <ReferenceFact shipment={shipment} />
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-start-1 print:col-start-1 print:row-start-1">
          <RouteSection shipment={shipment} />
          <Timeline shipment={shipment} />
        </div>
      </div>
    </article>
  );
}
