import { PageHead } from '../parts/page-head.tsx';

export function TracePage() {
  return <PageHead title="Trace" />;
}
