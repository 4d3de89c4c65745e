import { useState } from 'react';
import { Chip } from '../../parts/chip.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { useSession } from '../session/use-session.ts';
import { agentSetups } from './agent-setups.ts';
import { PageSection } from './page-section.tsx';

/** The two clients that are met most; the documents have them all. */
export function Agents() {
  const { public_base_url: baseUrl } = useSession();
  const setups = agentSetups(`${baseUrl}/v1/mcp`);
  const [id, setId] = useState(setups[0]?.id);
  const shown = setups.find((setup) => setup.id === id) ?? setups[0];
  if (shown === undefined) return null;
  return (
    <PageSection
      title="Agents, over MCP"
      lead={
        <>
          Two tools, both read only: <code className="font-mono text-number">list_shipments_summary</code> and{' '}
          <code className="font-mono text-number">get_shipment_details</code>. A key that can read shipments is enough.
          Cursor, VS Code, Codex and others are in{' '}
          <a href="/docs/mcp" className="text-accent underline underline-offset-2">
            the MCP guide
          </a>
          .
        </>
      }
    >
      <div className="mb-3 flex flex-wrap gap-1.5">
        {setups.map((setup) => (
          <Chip key={setup.id} active={setup.id === shown.id} onClick={() => setId(setup.id)}>
            {setup.name}
          </Chip>
        ))}
      </div>
      <p className="mb-2 text-t2">{shown.before}</p>
      <CodeBlock name={shown.file} code={shown.code} />
      <p className="mt-2 text-label text-t3">{shown.after}</p>
    </PageSection>
  );
}
