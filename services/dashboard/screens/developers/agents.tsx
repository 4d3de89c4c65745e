import { InlineCode } from '../../parts/code-block.tsx';
import { McpSetup } from '../../parts/mcp-setup.tsx';
import { useSession } from '../session/use-session.ts';
import { PageSection } from './page-section.tsx';

/** How to connect MCP clients. */
export function Agents() {
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
