import { PageHead } from '../parts/page-head.tsx';

export function ShipmentPage() {
  return <PageHead title="Shipment" />;
}
