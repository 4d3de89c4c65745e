import { PageHead } from '../parts/page-head.tsx';

export function InvitePage() {
  return <PageHead title="Invite" />;
}
