import { Link } from '@tanstack/react-router';
import { CodeBlock, InlineCode } from '../../parts/code-block.tsx';
import { McpSetup } from '../../parts/mcp-setup.tsx';
import { useAccount, useSession } from '../session/use-session.ts';
import { DevelopersHead } from './developers-head.tsx';
import { ErrorCodes } from './error-codes.tsx';
import { InstallationFacts } from './installation-facts.tsx';
import { LiveRequests } from './live-requests.tsx';
import { PageSection } from './page-section.tsx';
import { PushEvents } from './push-events.tsx';

/** Shows how programs and agents connect to this installation. */
export function DevelopersPage() {
  return (
    <div className="flex min-h-full flex-col">
      <DevelopersHead title="Developers" current="/developers" />
      <div className="flex flex-1 max-xl:flex-col-reverse max-xl:justify-end">
        <div className="min-w-0 flex-1">
          <FirstRequest />
          <LiveRequests />
          <PushEvents />
          <Agents />
          <ErrorCodes />
        </div>
        <InstallationFacts />
      </div>
    </div>
  );
}

function FirstRequest() {
  const { public_base_url: baseUrl } = useSession();
  const { role } = useAccount();
  const code = `curl '${baseUrl}/v1/shipments?limit=5' \\\n  -H "Authorization: Bearer $LANDFALL_KEY"`;
  return (
    <PageSection
      title="First request"
      lead={
        <>
          Programs send an API key with each request.{' '}
          {role === 'owner' ? (
            <Link
              to="/configuration/$section"
              params={{ section: 'keys' }}
              search={{ panel: 'new' }}
              className="text-accent underline underline-offset-2"
            >
              Create a key
            </Link>
          ) : (
            'Ask an owner of the account for a key'
          )}
          , then set it as <code className="font-mono text-number">LANDFALL_KEY</code> in the environment. A key typed
          into a command stays in your shell history.
        </>
      }
    >
      <CodeBlock name="Terminal" code={code} />
    </PageSection>
  );
}

function Agents() {
  const { public_base_url: baseUrl } = useSession();
  return (
    <PageSection
      title="MCP clients"
      lead={
        <>
          <InlineCode text="Two read-only tools: `list_shipments_summary` and `get_shipment_details`. The key needs the “Read shipments” scope. A new key shows these setups with the key filled in. " />
          <a href="/docs/mcp" className="text-accent underline underline-offset-2">
            MCP guide
          </a>
        </>
      }
    >
      <McpSetup baseUrl={baseUrl} />
    </PageSection>
  );
}
