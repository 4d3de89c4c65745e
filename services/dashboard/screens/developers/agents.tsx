import { useState } from 'react';
import { mcpClients } from '#shared/contract/mcp-clients.ts';
import { Chip } from '../../parts/chip.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { useSession } from '../session/use-session.ts';
import { InlineCode, PageSection } from './page-section.tsx';

/** How to connect MCP clients. */
export function Agents() {
  const { public_base_url: baseUrl } = useSession();
  const clients = mcpClients(`${baseUrl}/v1/mcp`);
  const [id, setId] = useState(clients[0]?.id);
  const shown = clients.find((client) => client.id === id) ?? clients[0];
  if (shown === undefined) return null;
  return (
    <PageSection
      title="MCP clients"
      lead={
        <>
          <InlineCode text="Two read-only tools: `list_shipments_summary` and `get_shipment_details`. The key needs the “Read shipments” scope. " />
          <a href="/docs/mcp" className="text-accent underline underline-offset-2">
            MCP guide
          </a>
        </>
      }
    >
      <div className="mb-3 flex flex-wrap gap-1.5">
        {clients.map((client) => (
          <Chip key={client.id} active={client.id === shown.id} onClick={() => setId(client.id)}>
            {client.name}
          </Chip>
        ))}
      </div>
      <p className="mb-2 text-t2">
        <InlineCode text={shown.before} />
      </p>
      <div className="flex flex-col gap-3">
        {shown.snippets.map(({ name, text }) => (
          <CodeBlock key={name} name={name} code={text} />
        ))}
      </div>
      {shown.after !== undefined && (
        <p className="mt-2 text-label text-t3">
          <InlineCode text={shown.after} />
        </p>
      )}
    </PageSection>
  );
}
