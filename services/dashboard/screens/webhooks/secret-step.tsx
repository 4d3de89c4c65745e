import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import type { WireWebhookEndpoint } from '#shared/contract/webhooks/endpoint-wire.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ConfirmDialog } from '../../parts/dialogs/confirm-dialog.tsx';
import { CheckboxLine } from '../../parts/inputs/checkbox.tsx';
import { StatusGlyph, WarningMark } from '../../parts/status-icons.tsx';
import { Timestamp } from '../../parts/timestamp.tsx';
import { VerifySnippets } from './verify-snippets.tsx';

export type WithSecret = WireWebhookEndpoint & { secret: string };

type Props = { title: string; created: WithSecret; done: () => void };

/** Shows the secret once. The page stays until the user confirms that the secret is stored. */
export function SecretStep({ title, created, done }: Props) {
  const [isStored, setStored] = useState(false);
  const blocker = useBlocker({
    shouldBlockFn: () => !isStored,
    enableBeforeUnload: () => !isStored,
    withResolver: true,
  });
  return (
    <div className="flex max-w-3xl flex-col gap-6 p-4 pb-8">
      <section aria-labelledby="secret-title">
        <h2 id="secret-title" className="flex items-center gap-2 font-semibold text-section">
          <StatusGlyph status="delivered" />
          {title}
        </h2>
        <p className="mt-1 break-all text-t2">{created.url}</p>
        <div className="mt-3 flex min-h-10 items-center gap-2 rounded-control border border-line2 py-1 pr-1.5 pl-3">
          <code data-secret="" className="min-w-0 flex-1 select-all break-all font-medium font-mono text-number">
            {created.secret}
          </code>
          <CopyButton text={created.secret} kind="strong" name="the secret" />
        </div>
        <p className="mt-2 flex gap-2 text-t2">
          <span className="mt-[3px]">
            <WarningMark severity="warning" />
          </span>
          <span>
            Shown only once. Copy it to the secret store of your receiver now.
            {created.previous_secret_until !== null && (
              <>
                {' '}
                The previous secret also signs until <Timestamp at={created.previous_secret_until} exact />.
              </>
            )}
          </span>
        </p>
        <div className="mt-4 flex flex-wrap items-center gap-4">
          <CheckboxLine checked={isStored} onChecked={setStored}>
            I have stored the secret
          </CheckboxLine>
          <Button kind="primary" disabled={!isStored} onClick={done}>
            Done
          </Button>
        </div>
      </section>
      <VerifySnippets />
      {blocker.status === 'blocked' && (
        <ConfirmDialog
          title="Leave without storing the secret?"
          action="Leave"
          cancel="Stay"
          onConfirm={blocker.proceed}
          onClose={blocker.reset}
        >
          You have not confirmed that you stored the secret. It can’t be shown again. Without it, rotate the secret of
          this endpoint.
        </ConfirmDialog>
      )}
    </div>
  );
}
