import { useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { WireCreatedApiKey } from '../../../api/wire.ts';
import { Button } from '../../../parts/button.tsx';
import { CodeBlock } from '../../../parts/code-block.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { ConfirmDialog } from '../../../parts/dialogs/confirm-dialog.tsx';
import { Panel } from '../../../parts/dialogs/panel.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { CheckboxLine } from '../../../parts/inputs/checkbox.tsx';
import { McpSetup } from '../../../parts/mcp-setup.tsx';
import { StatusGlyph, WarningMark } from '../../../parts/status-icons.tsx';
import { dayWords } from '../../../parts/time-words.ts';
import { numberLocale } from '../../../parts/words/locale.ts';
import { useAccount, useSession } from '../../session/use-session.ts';
import { limitsQuery } from '../limits-section.tsx';
import { KeyText } from './keys-table.tsx';
import { type Revoking, RevokingNote, useRevokeFocus } from './revoking.tsx';
import { longScopes } from './scope-words.ts';
import { curlSnippet } from './snippets.ts';

/** Time that the browser may take to pass a link to another program. */
const installMs = 1000;

type Props = { created: WireCreatedApiKey; revoking: Revoking; done: () => void };

/** Shows the secret once. The panel stays open until the user confirms that the secret is stored. */
export function SecretPanel({ created, revoking, done }: Props) {
  const { public_base_url: baseUrl } = useSession();
  const account = useAccount();
  const limits = useQuery(limitsQuery);
  const [isStored, setStored] = useState(false);
  const isInstalling = useRef(false);
  const blocker = useBlocker({
    shouldBlockFn: () => !isStored,
    enableBeforeUnload: () => !isStored && !isInstalling.current,
    withResolver: true,
  });
  const isRevoking = revoking.keyId === created.api_key_id;
  useRevokeFocus(isRevoking);
  const use = { baseUrl, test: created.test, scopes: created.scopes };
  // For the browser, a link to another program is a way to leave the page, although the page stays.
  const install = () => {
    isInstalling.current = true;
    setTimeout(() => {
      isInstalling.current = false;
    }, installMs);
  };
  return (
    <Panel
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
            {isRevoking ? (
              <RevokingNote revoking={revoking} />
            ) : (
              <Button onClick={() => revoking.start(created.api_key_id)}>Revoke</Button>
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
          rows={{
            Name: created.name,
            Mode: `${created.test ? 'Test' : 'Live'}, account ${account.name}`,
            Scopes: longScopes(created.scopes),
            Expires: created.expires_at === null ? 'never' : dayWords(created.expires_at),
            Limits: limits.data === undefined ? null : rateText(limits.data),
          }}
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
            Shown only once. Copy it to your secret store now. Later only <KeyText apiKey={created} /> is shown.
          </span>
        </p>
      </section>
      <div className="flex flex-col gap-4 p-5">
        <CodeBlock name="First request" code={curlSnippet(use)} />
      </div>
      {created.scopes.includes('shipments:read') && (
        <section aria-labelledby="agent-title" className="border-line border-t p-5">
          <h3 id="agent-title" className="font-semibold text-section">
            Connect an assistant
          </h3>
          <p className="mt-1 mb-3 text-t2">
            It gets two read-only tools. The key is filled in.{' '}
            <a href="/docs/mcp" target="_blank" rel="noreferrer" className="text-accent underline underline-offset-2">
              MCP guide
            </a>
          </p>
          <McpSetup baseUrl={baseUrl} secret={created.secret} onInstall={install} />
        </section>
      )}
      {blocker.status === 'blocked' && (
        <ConfirmDialog
          title="Leave without storing the secret?"
          action="Leave"
          cancel="Stay"
          onConfirm={blocker.proceed}
          onClose={blocker.reset}
        >
          You have not confirmed that you stored the secret of {created.name}. It can’t be shown again. Without it,
          revoke this key and create another.
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function rateText({ read, write }: { read: number; write: number }): string {
  return `${write.toLocaleString(numberLocale())} writes and ${read.toLocaleString(numberLocale())} reads per minute`;
}
