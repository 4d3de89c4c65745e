import { PageHead } from '../parts/page-head.tsx';

export function ClaimPage() {
  return <PageHead title="Claim" />;
}
