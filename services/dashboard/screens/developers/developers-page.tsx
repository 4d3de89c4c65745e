import { PageHead } from '../../parts/page-head.tsx';
import { Agents } from './agents.tsx';
import { ErrorCodes } from './error-codes.tsx';
import { FirstRequest } from './first-request.tsx';
import { InstallationFacts } from './installation-facts.tsx';
import { LiveRequests } from './live-requests.tsx';

/** How programs and agents call this installation. */
export function DevelopersPage() {
  return (
    <div className="flex min-h-full flex-col">
      <PageHead title="Developers" />
      <div className="flex flex-1 max-xl:flex-col-reverse max-xl:justify-end">
        <div className="min-w-0 flex-1">
          <FirstRequest />
          <LiveRequests />
          <Agents />
          <ErrorCodes />
        </div>
        <InstallationFacts />
      </div>
    </div>
  );
}
