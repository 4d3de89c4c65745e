import { useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import type { WireCreatedApiKey } from '../../../api/wire.ts';
import { Button } from '../../../parts/button.tsx';
import { CheckboxLine } from '../../../parts/checkbox.tsx';
import { CodeBlock } from '../../../parts/code-block.tsx';
import { ConfirmDialog } from '../../../parts/confirm-dialog.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { StatusGlyph, WarningMark } from '../../../parts/marks.tsx';
import { SidePanel } from '../../../parts/panel.tsx';
import { dayWords } from '../../../parts/time-words.ts';
import { useAccount, useSession } from '../../session/use-session.ts';
import { limitsQuery } from '../limits-query.ts';
import { KeyText } from './keys-table.tsx';
import { type Revoking, RevokingNote, useRevokeFocus } from './revoking.tsx';
import { longScopes } from './scope-words.ts';
import { curlSnippet, mcpSnippet } from './snippets.ts';

/** The secret, once. Nothing closes this by accident. */
export function SecretPanel({
  created,
  revoking,
  done,
}: {
  created: WireCreatedApiKey;
  revoking: Revoking;
  done: () => void;
}) {
  const { public_base_url: baseUrl } = useSession();
  const account = useAccount();
  const limits = useQuery(limitsQuery);
  const [isStored, setStored] = useState(false);
  const blocker = useBlocker({
    shouldBlockFn: () => !isStored,
    enableBeforeUnload: () => !isStored,
    withResolver: true,
  });
  useRevokeFocus(revoking.keyId === created.api_key_id);
  const use = { baseUrl, test: created.test, scopes: created.scopes };
  const mcp = mcpSnippet(use);
  const expires = created.expires_at === null ? 'never' : dayWords(created.expires_at);
  return (
    <SidePanel
      title="Key created"
      mark={<StatusGlyph status="delivered" />}
      stays={
        <>
          <Icon name="lock" size={14} />
          Stays open until you confirm
        </>
      }
      close={done}
      footer={
        <>
          <CheckboxLine checked={isStored} onChecked={setStored}>
            I have stored the secret
          </CheckboxLine>
          <div data-revoke="" className="ml-auto flex items-center gap-2">
            {revoking.keyId === created.api_key_id ? (
              <RevokingNote revoking={revoking} />
            ) : (
              <Button onClick={() => revoking.start(created.api_key_id)}>Revoke it</Button>
            )}
            <Button kind="primary" disabled={!isStored} onClick={done}>
              Done
            </Button>
          </div>
        </>
      }
    >
      <div className="border-line border-b p-5">
        <Facts
          rows={[
            ['Name', created.name],
            [
              'Mode',
              <>
                {created.test ? 'Test' : 'Live'} <span className="text-t3">· account {account.name}</span>
              </>,
            ],
            ['Can', longScopes(created.scopes)],
            [
              'Expires',
              <>
                {expires}
                {limits.data && (
                  <span className="text-t3">
                    {' '}
                    · {limits.data.write.toLocaleString('en')} writes and {limits.data.read.toLocaleString('en')} reads
                    a minute
                  </span>
                )}
              </>,
            ],
          ]}
        />
      </div>
      <section aria-label="Secret" className="border-line border-b p-5">
        <h3 className="mb-1.5 text-label text-t2">Secret</h3>
        <div className="flex min-h-10 items-center gap-2 rounded-control border border-line2 py-1 pr-1.5 pl-3">
          <code className="min-w-0 flex-1 select-all break-all font-medium font-mono text-number">
            {created.secret}
          </code>
          <CopyButton text={created.secret} kind="strong" name="the secret" />
        </div>
        <p className="mt-2 flex gap-2 text-t2">
          <span className="mt-[3px]">
            <WarningMark severity="warning" />
          </span>
          <span>
            Shown this once. Copy it to your secret store now; afterwards only <KeyText apiKey={created} /> remains, to
            tell it from the others.
          </span>
        </p>
      </section>
      <div className="flex flex-col gap-4 p-5">
        <CodeBlock name="Try it" code={curlSnippet(use)} />
        {mcp !== null && (
          <div>
            <CodeBlock name="Use it from an agent, over MCP" code={mcp} />
            <p className="mt-1.5 text-label text-t3">
              Two tools, both read only: <code className="font-mono">list_shipments_summary</code>,{' '}
              <code className="font-mono">get_shipment_details</code>.{' '}
              <a href="/docs/mcp" className="text-accent underline underline-offset-2">
                Every client’s set-up
              </a>
            </p>
          </div>
        )}
      </div>
      {blocker.status === 'blocked' && (
        <ConfirmDialog
          title="Leave without the secret?"
          action="Leave"
          keep="Stay here"
          onConfirm={blocker.proceed}
          onClose={blocker.reset}
        >
          You have not confirmed that you stored the secret of {created.name}. Nobody can show it again; you would
          revoke this key and make another.
        </ConfirmDialog>
      )}
    </SidePanel>
  );
}
