import { PageHead } from '../parts/page-head.tsx';

export function OperationsPage() {
  return <PageHead title="Operations" />;
}
