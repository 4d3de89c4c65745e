import { useSyncExternalStore } from 'react';
import { Button } from '../parts/button.tsx';
import { SkeletonRows } from '../parts/skeleton.tsx';
import { DrawnOrText } from './drawn-or-text.tsx';
import { ListScreen } from './list/list-screen.tsx';
import { ResultRows } from './list/result-rows.tsx';
import { PlainNote, PlainValue } from './plain-text.tsx';
import type { Answer } from './read-answer.ts';
import { ShipmentScreen } from './shipment-screen.tsx';
import { Problem, ViewHead } from './view-head.tsx';
import type { View as OpenView, Screen, ViewActions, ViewState } from './view-state.ts';

type Props = { view: OpenView; address: string | null };

/** A view in a conversation: the result of a call, and what is opened from it. */
export function View({ view, address }: Props) {
  const state = useSyncExternalStore(view.watch, view.read);
  const screen = state.screens.at(-1) as Screen;
  return (
    <main aria-busy={screen.answer === null || screen.busy !== null} className="min-w-0">
      <Shown screen={screen} state={state} actions={view.actions} address={address} />
    </main>
  );
}

type ShownProps = { screen: Screen; state: ViewState; actions: ViewActions; address: string | null };

function Shown({ screen, state, actions, address }: ShownProps) {
  const { answer } = screen;
  if (answer === null)
    return (
      <SkeletonRows rows={4} cells={['w-40', 'w-16', 'w-24']} className="h-9 gap-6 px-4" label="Waiting for data" />
    );
  if (answer === 'cancelled') return <Problem>The call was cancelled. Nothing was read.</Problem>;
  switch (answer.kind) {
    case 'list':
      return <ListScreen answer={answer} screen={screen} state={state} actions={actions} />;
    case 'shipment': {
      const text = <PlainShipment answer={answer} screen={screen} state={state} actions={actions} />;
      const { details, viewed } = answer;
      if (viewed === null) return text;
      const given = { details, viewed, screen, state, actions, address };
      return (
        <DrawnOrText text={text}>
          <ShipmentScreen {...given} />
        </DrawnOrText>
      );
    }
    case 'matches':
      return <Matches answer={answer} screen={screen} state={state} actions={actions} />;
    case 'error':
      return <Failed text={answer.text} screen={screen} state={state} actions={actions} />;
    case 'unreadable':
      return (
        <Failed
          text="The host passed no data to this view. The answer is in the conversation."
          screen={screen}
          state={state}
          actions={actions}
        />
      );
  }
}

type ScreenProps = Omit<ShownProps, 'address'>;

/** Several shipments have the number: one of them is chosen. */
function Matches({ answer, ...rest }: ScreenProps & { answer: Extract<Answer, { kind: 'matches' }> }) {
  const { matches, matches_has_more: hasMore } = answer.matches;
  return (
    <>
      <ViewHead
        title={<h1 className="font-semibold text-title tracking-[-0.01em]">Several shipments match</h1>}
        note={<span>{hasMore === true ? `more than ${matches.length}` : matches.length}</span>}
        {...rest}
      />
      <ResultRows
        caption="Matching shipments"
        rows={answer.rows}
        plain={matches}
        open={rest.state.abilities.callsTools ? rest.actions.open : null}
      />
    </>
  );
}

/** The result as text, where the host passes no record on. */
function PlainShipment({ answer, ...rest }: ScreenProps & { answer: Extract<Answer, { kind: 'shipment' }> }) {
  return (
    <>
      <ViewHead title={<h1 className="font-semibold text-title tracking-[-0.01em]">Shipment</h1>} {...rest} />
      <PlainNote />
      <div className="px-4 py-3">
        <PlainValue value={answer.details} />
      </div>
    </>
  );
}

function Failed({ text, screen, state, actions }: ScreenProps & { text: string }) {
  const mayRetry = state.abilities.callsTools && screen.args !== null;
  return (
    <>
      <Problem>{screen.problem ?? text}</Problem>
      {(mayRetry || state.screens.length > 1) && (
        <div className="flex gap-2 px-4 py-3">
          {state.screens.length > 1 && <Button onClick={actions.back}>Back</Button>}
          {mayRetry && (
            <Button busy={screen.busy !== null} onClick={actions.refresh}>
              Try again
            </Button>
          )}
        </div>
      )}
    </>
  );
}
