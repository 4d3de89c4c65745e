import { useState } from 'react';
import { mcpClients } from '#shared/contract/mcp-clients.ts';
import { buttonClasses } from './button.tsx';
import { Chip } from './chip.tsx';
import { CodeBlock, InlineCode } from './code-block.tsx';

type Props = {
  baseUrl: string;
  /** Filled in everywhere. It stays in this page: install links are opened by a program on the same computer. */
  secret?: string;
  /** Called when a link opens a program outside the browser. */
  onInstall?: () => void;
};

/** Shows how to connect each MCP client: a link where the client supports one, and the text to copy. */
export function McpSetup({ baseUrl, secret, onInstall }: Props) {
  const clients = mcpClients(`${baseUrl}/v1/mcp`, secret ?? null);
  const [id, setId] = useState(clients[0]?.id);
  const shown = clients.find((client) => client.id === id) ?? clients[0];
  if (shown === undefined) return null;
  return (
    <>
      <div className="mb-3 flex flex-wrap gap-1.5">
        {clients.map((client) => (
          <Chip key={client.id} active={client.id === shown.id} onClick={() => setId(client.id)}>
            {client.name}
          </Chip>
        ))}
      </div>
      <p className="mb-3 text-t2">
        <InlineCode text={shown.before} />
      </p>
      {shown.install !== undefined && (
        <p className="mb-3">
          <a href={shown.install.href} onClick={onInstall} className={buttonClasses('primary')}>
            {shown.install.label}
          </a>
        </p>
      )}
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
    </>
  );
}
