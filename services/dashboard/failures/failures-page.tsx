import { PageHead } from '../parts/page-head.tsx';

export function FailuresPage() {
  return <PageHead title="Failures" />;
}
