import { chosen } from '../../api/request.ts';
import { LiveRequest } from './live-request.tsx';
import { PageSection } from './page-section.tsx';

const requests = [
  { path: '/v1/shipments?limit=1', says: 'The newest shipment' },
  { path: '/v1/shipments/counts', says: 'How many, by status' },
  { path: '/v1/events?after=latest&limit=1', says: 'Where the change feed stands' },
  { path: '/v1/carriers?q=maersk', says: 'A carrier of the catalogue' },
] as const;

/** Requests that go out now, as whoever is signed in: what comes back is what a key with that scope gets. */
export function LiveRequests() {
  return (
    <PageSection
      title="Try it here"
      lead={`Sent from this page as you, on your ${chosen.mode} shipments, with the session in place of a key. They only read.`}
    >
      <ul className="border-line border-t">
        {requests.map((request) => (
          <LiveRequest key={request.path} {...request} />
        ))}
      </ul>
    </PageSection>
  );
}
