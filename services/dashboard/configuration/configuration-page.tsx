import { PageHead } from '../parts/page-head.tsx';

export function ConfigurationPage() {
  return <PageHead title="Configuration" />;
}
