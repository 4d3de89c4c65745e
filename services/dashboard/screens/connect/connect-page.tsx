import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { WireAppRequest } from '#shared/contract/apps/app-operations.ts';
import { call, chosen, ofAccount } from '../../api/call.ts';
import { Button, buttonClasses } from '../../parts/button.tsx';
import { NativeSelect } from '../../parts/inputs/select.tsx';
import { ProblemNote } from '../../parts/page-states.tsx';
import { WarningMark } from '../../parts/status-icons.tsx';
import { EntryFrame, EntryWait } from '../session/entry-frame.tsx';
import { isInvalidLink } from '../session/links.ts';
import { useSession } from '../session/use-session.ts';
import { KeyChoice } from './key-choice.tsx';

/** An app asks to read shipments. The person chooses with which key, or denies it. */
export function ConnectPage() {
  const asked = useConnectRequest();
  const { mcp_oauth: isOffered } = useSession();
  const request = useQuery({
    queryKey: ['app-request', asked.request],
    queryFn: () => call('readAppRequest', { body: { request: asked.request ?? '' } }),
    enabled: asked.request !== null && isOffered === true,
    staleTime: Infinity,
    retry: false,
  });
  if (isOffered !== true)
    return (
      <Unanswerable title="Connecting apps is off">
        This installation connects apps with API keys only. Create a key and give it to the app.
      </Unanswerable>
    );
  if (asked.request === null) return <Unanswerable title="Can’t connect">{errorWords(asked.error)}</Unanswerable>;
  if (isInvalidLink(request.error))
    return (
      <Unanswerable title="Request expired">
        A request to connect an app must be answered within ten minutes. Start again in the app.
      </Unanswerable>
    );
  if (!request.isSuccess)
    return <EntryWait title="Connect an app" error={request.error} retry={() => request.refetch()} />;
  return <Question signed={asked.request} app={request.data} />;
}

function Question({ signed, app }: { signed: string; app: WireAppRequest }) {
  const { user, accounts } = useSession();
  const owned = accounts.filter(({ role }) => role === 'owner');
  const [account, setAccount] = useState(() => choose((owned.find(({ id }) => id === chosen.account) ?? owned[0])?.id));
  const [keyId, setKeyId] = useState<string | null>(null);
  const answering = useMutation({
    mutationFn: ({ accept }: { accept: boolean }) =>
      accept
        ? call('allowApp', { body: { request: signed, api_key_id: keyId ?? '' } }, ofAccount)
        : call('denyApp', { body: { request: signed } }),
    onSuccess: ({ location }) => window.location.assign(location),
  });
  const isLeaving = answering.isPending || answering.isSuccess;
  const name = app.name ?? 'An app without a name';
  return (
    <EntryFrame
      title="Connect an app"
      lead={
        <>
          <span className="break-words font-medium text-t1">{name}</span> asks to read the shipments of an account.
        </>
      }
    >
      <dl className="flex flex-col gap-3 border-line border-y py-4 text-body">
        <Row term="Name">
          {app.verified_host === null ? (
            <span className="flex gap-2">
              <span className="mt-[3px]">
                <WarningMark severity="warning" />
              </span>
              <span>Not verified: any app can choose it. Connect only if you started this in the app just now.</span>
            </span>
          ) : (
            <>
              Vouched for by <Host>{app.verified_host}</Host>
            </>
          )}
        </Row>
        <Row term="Returns to">
          {app.redirect_host === null ? (
            <>
              An app on this device: <Host>{app.redirect_scheme}:</Host>
            </>
          ) : isOnDevice(app.redirect_host) ? (
            <>
              An app on this device: <Host>{app.redirect_host}</Host>
            </>
          ) : (
            <Host>{app.redirect_host}</Host>
          )}
        </Row>
        <Row term="It may">
          Read shipments: lists, records, events and places. It can’t change anything, and it passes the data to its
          model.
        </Row>
        <Row term="Signed in as">{user.email}</Row>
      </dl>
      {owned.length === 0 ? (
        <p className="mt-4 text-body text-t2">
          Only owners of an account can connect apps. Ask an owner, or deny the request.
        </p>
      ) : (
        <div className="mt-4 flex flex-col gap-4">
          {owned.length > 1 ? (
            <NativeSelect
              label="Account"
              value={account ?? ''}
              onChange={(event) => {
                setAccount(choose(event.target.value));
                setKeyId(null);
              }}
            >
              {owned.map(({ id, name: accountName }) => (
                <option key={id} value={id}>
                  {accountName}
                </option>
              ))}
            </NativeSelect>
          ) : (
            <div>
              <p className="text-label text-t2">Account</p>
              <p className="break-words font-medium">{owned[0]?.name}</p>
            </div>
          )}
          <KeyChoice key={account} account={account ?? ''} appName={name} value={keyId} choose={setKeyId} />
        </div>
      )}
      {answering.isError && <ProblemNote error={answering.error} className="mt-4" />}
      <div className="mt-6 flex gap-2">
        <Button
          kind="primary"
          className="h-8 flex-1"
          busy={isLeaving}
          disabled={keyId === null || owned.length === 0}
          onClick={() => answering.mutate({ accept: true })}
        >
          {isLeaving && answering.variables.accept ? 'Connecting' : 'Connect'}
        </Button>
        <Button className="h-8 flex-1" busy={isLeaving} onClick={() => answering.mutate({ accept: false })}>
          Deny
        </Button>
      </div>
      <p className="mt-4 text-label text-t3">
        Access ends when you disconnect the app or revoke the key, within one second, or after 30 days without use.
      </p>
    </EntryFrame>
  );
}

/** Requests of the page name this account. It is not remembered: the page is left with the answer. */
function choose(account: string | undefined): string | null {
  if (account !== undefined) chosen.account = account;
  return account ?? null;
}

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[5.5rem_1fr] gap-x-3 max-sm:grid-cols-1">
      <dt className="text-t2">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

function Host({ children }: { children: ReactNode }) {
  return <span className="inline-block max-w-full break-words font-mono text-label">{children}</span>;
}

function Unanswerable({ title, children }: { title: string; children: ReactNode }) {
  return (
    <EntryFrame title={title}>
      <p className="text-body text-t2">{children}</p>
      <Link to="/" className={`mt-6 ${buttonClasses('primary')}`}>
        All shipments
      </Link>
    </EntryFrame>
  );
}

function isOnDevice(host: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);
}

/** The address is untrusted: only known words of the protocol are distinguished. */
function errorWords(error: string | null): string {
  if (error === 'invalid_client')
    return 'The app is not known here, or its document can’t be read. Remove the connection in the app and add it again.';
  if (error === 'invalid_redirect')
    return 'The app asked to return to an address that it has not registered. Remove the connection in the app and add it again.';
  if (error === 'temporarily_unavailable')
    return 'Too many apps are being connected. Wait a minute, and start again in the app.';
  return 'The request of the app is incomplete. Start again in the app.';
}

/** The signed request of the app, or the error for which there is none. */
type ConnectRequest = { request: string | null; error: string | null };

/**
 * Reads them from the fragment, which browsers do not send. They stay there, so that a reload shows the same page: the
 * request opens nothing without the session of the person.
 */
function useConnectRequest(): ConnectRequest {
  const [asked] = useState(() => connectRequestOf(window.location.hash));
  return asked;
}

function connectRequestOf(fragment: string): ConnectRequest {
  const params = new URLSearchParams(fragment.replace(/^#/, ''));
  return { request: params.get('request') || null, error: params.get('error') };
}
