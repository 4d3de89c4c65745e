import { PageHead } from '../parts/page-head.tsx';

export function ShipmentsPage() {
  return <PageHead title="Shipments" />;
}
