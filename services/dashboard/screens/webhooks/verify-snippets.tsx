import { useState } from 'react';
import { verificationSnippets } from '#shared/contract/webhooks/verification-snippets.ts';
import { Chip } from '../../parts/chip.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';

/** Shows code that verifies a delivery, by language. */
export function VerifySnippets() {
  const [id, setId] = useState('node');
  const shown = verificationSnippets.find((snippet) => snippet.id === id) ?? verificationSnippets[0];
  if (shown === undefined) return null;
  return (
    <section aria-labelledby="verify-title">
      <h2 id="verify-title" className="font-semibold text-section">
        Verify the signature
      </h2>
      <p className="mt-0.5 text-t2">
        Anyone can send requests to your address. Accept only those that a Standard Webhooks library verifies with the
        secret in <code className="font-mono text-number">LANDFALL_WEBHOOK_SECRET</code>.
      </p>
      <div className="my-3 flex flex-wrap gap-1.5">
        {verificationSnippets.map((snippet) => (
          <Chip key={snippet.id} active={snippet.id === shown.id} onClick={() => setId(snippet.id)}>
            {snippet.name}
          </Chip>
        ))}
      </div>
      <div className="flex flex-col gap-3">
        <CodeBlock name="Library" code={shown.install} />
        <CodeBlock name="Receiver" code={shown.code} />
      </div>
    </section>
  );
}
