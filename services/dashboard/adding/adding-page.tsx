import { PageHead } from '../parts/page-head.tsx';

export function AddingPage() {
  return <PageHead title="Adding" />;
}
