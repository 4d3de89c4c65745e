import { PageHead } from '../parts/page-head.tsx';

export function MapPage() {
  return <PageHead title="Map" />;
}
