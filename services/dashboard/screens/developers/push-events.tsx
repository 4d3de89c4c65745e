import { CodeBlock } from '../../parts/code-block.tsx';
import { useSession } from '../session/use-session.ts';
import { PageSection } from './page-section.tsx';
import { pushSnippet } from './push-snippet.ts';

/** Shows how a terminal, a railway or a driver's app adds events that no carrier API gives. */
export function PushEvents() {
  const { public_base_url: baseUrl } = useSession();
  return (
    <PageSection
      id="push-events"
      title="Push an event"
      lead={
        <>
          Terminals, railways and your own trucks add events to any shipment, with a key that has the scope{' '}
          <code className="font-mono text-number">events:write</code>. An event that is sent twice with the same{' '}
          <code className="font-mono text-number">external_id</code> is stored once. To track a shipment by pushed
          events alone, register it with{' '}
          <code className="font-mono text-number">{'"tracking": {"mode": "pushed"}'}</code>.
        </>
      }
    >
      <CodeBlock name="Terminal" code={pushSnippet(baseUrl)} />
    </PageSection>
  );
}
