import type { ReactNode } from 'react';
import { Button, IconButton } from '../parts/button.tsx';
import { WarningMark } from '../parts/status-icons.tsx';
import { momentWords, zoneWords } from '../parts/time-words.ts';
import { readAtOf } from './read-answer.ts';
import type { Screen, ViewActions, ViewState } from './view-state.ts';

type Props = {
  title: ReactNode;
  note?: ReactNode;
  /** Further buttons. */
  children?: ReactNode;
  screen: Screen;
  state: ViewState;
  actions: ViewActions;
};

/** Shows the title, the time of the data and a button to refresh it, then the error of the last request. */
export function ViewHead({ title, note, children, screen, state, actions }: Props) {
  const { answer, args, busy, problem } = screen;
  const readAt = answer === null || answer === 'cancelled' ? null : readAtOf(answer);
  return (
    <>
      <header className="flex min-h-[52px] flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-2">
        {state.screens.length > 1 && (
          <IconButton icon="left" label="Back" onClick={actions.back} className="border border-line2" />
        )}
        {title}
        <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-body text-t2">{note}</div>
        <div className="ml-auto flex flex-wrap items-center gap-2">
          {readAt !== null && <AsOf readAt={readAt} />}
          {children}
          {state.abilities.callsTools && args !== null && (
            <Button busy={busy !== null} onClick={actions.refresh}>
              {busy === 'refresh' ? 'Refreshing…' : 'Refresh'}
            </Button>
          )}
        </div>
      </header>
      {problem !== null && <Problem>{problem}</Problem>}
    </>
  );
}

function AsOf({ readAt }: { readAt: number }) {
  const at = new Date(readAt).toISOString();
  return (
    <time dateTime={at} className="whitespace-nowrap text-label text-t3 tabular-nums">
      as of {momentWords(at)} {zoneWords(at)}
    </time>
  );
}

/** A failure, in the words of the server or the host. */
export function Problem({ children }: { children: ReactNode }) {
  return (
    <div role="alert" className="flex items-start gap-2 border-line border-b bg-sunk px-4 py-2.5">
      <span className="mt-[3px]">
        <WarningMark severity="warning" />
      </span>
      <p className="min-w-0 whitespace-pre-wrap break-words" dir="auto">
        {children}
      </p>
    </div>
  );
}
