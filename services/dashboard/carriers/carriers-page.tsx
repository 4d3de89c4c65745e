import { PageHead } from '../parts/page-head.tsx';

export function CarriersPage() {
  return <PageHead title="Carriers" />;
}
