import { groupsOf, type ListResult } from '#shared/contract/mcp/list-result.ts';
import { Button } from '../../parts/button.tsx';
import type { ToolArgs } from '../host.ts';
import type { Answer } from '../read-answer.ts';
import { ViewHead } from '../view-head.tsx';
import type { Screen, ViewActions, ViewState } from '../view-state.ts';
import { askedWords } from './asked-words.ts';
import { CountsBar } from './counts-bar.tsx';
import { GroupBars } from './group-bars.tsx';
import { ResultRows } from './result-rows.tsx';

type ListAnswer = Extract<Answer, { kind: 'list' }>;
type Props = { answer: ListAnswer; screen: Screen; state: ViewState; actions: ViewActions };

/** A result of `list_shipments_summary`: how many there are in each status, and the rows. */
export function ListScreen({ answer: { list, rows }, screen, state, actions }: Props) {
  const { callsTools } = state.abilities;
  const { args, busy, statuses } = screen;
  const mayCall = callsTools && args !== null;
  const total = list.total ?? list.shipments.length;
  const groups = groupsOf(list);
  const shown = list.shipments.length;
  return (
    <>
      <ViewHead
        title={<h1 className="font-semibold text-title tracking-[-0.01em]">Shipments</h1>}
        note={
          <>
            <span className="tabular-nums">{countWords(total, list.total_is_lower_bound === true)}</span>
            {args !== null && <Asked args={args} />}
          </>
        }
        screen={screen}
        state={state}
        actions={actions}
      />
      <CountsBar
        counts={screen.counts ?? list.counts_by_status}
        isBound={list.total_is_lower_bound === true}
        chosen={statuses}
        choose={mayCall ? actions.filter : null}
      />
      {groups.length > 0 && <GroupBars groups={groups} by={String(args?.group_by ?? 'value')} />}
      {shown > 0 ? (
        <div className={busy === 'filter' || busy === 'refresh' || busy === 'open' ? 'opacity-60' : ''}>
          <ResultRows caption="Shipments" rows={rows} plain={list.shipments} open={callsTools ? actions.open : null} />
        </div>
      ) : (
        total === 0 && <Nothing list={list} />
      )}
      <Notes list={list} />
      {shown > 0 && (
        <footer className="flex min-h-11 flex-wrap items-center gap-3 px-4 py-2 text-label text-t3">
          <span role="status" className="tabular-nums">
            {shown === total ? countWords(shown, false) : `${shown.toLocaleString('en')} of ${totalWords(list, total)}`}
          </span>
          {list.next_cursor !== undefined && mayCall && (
            <Button className="ml-auto" busy={busy === 'more'} onClick={actions.more}>
              {busy === 'more' ? 'Loading…' : 'Show more'}
            </Button>
          )}
        </footer>
      )}
    </>
  );
}

function Asked({ args }: { args: ToolArgs }) {
  return askedWords(args).map((words) => (
    <bdi key={words} className="max-w-full truncate rounded-chip border border-line2 px-2 text-label text-t2">
      {words}
    </bdi>
  ));
}

function Nothing({ list }: { list: ListResult }) {
  return (
    <div className="px-4 py-8">
      <h2 className="font-semibold text-section">No shipments match</h2>
      {list.next_step !== undefined && (
        <p className="mt-1 max-w-prose break-words text-t2" dir="auto">
          {list.next_step}
        </p>
      )}
    </div>
  );
}

/** Shows the notes that neither the counts nor the rows contain. */
function Notes({ list }: { list: ListResult }) {
  const { stale_count: stale = 0, unknown_terms_count: unknown = 0, not_found: missing } = list;
  const { found_but_filtered_out: leftOut } = list;
  const notes = [
    stale > 0 ? `${countWords(stale, false)} with stale data.` : '',
    unknown > 0 ? `Free time of ${countWords(unknown, false)} can’t be assessed: terms are unknown.` : '',
    missing.length > 0 ? `Not found: ${missing.join(', ')}.` : '',
    leftOut.length > 0 ? `Known, but left out by the filters: ${leftOut.join(', ')}.` : '',
  ].filter((note) => note !== '');
  if (notes.length === 0) return null;
  return (
    <p className="break-words border-line border-b px-4 py-2 text-label text-t2" dir="auto">
      {notes.join(' ')}
    </p>
  );
}

function countWords(count: number, isBound: boolean): string {
  return `${count.toLocaleString('en')}${isBound ? '+' : ''} ${count === 1 && !isBound ? 'shipment' : 'shipments'}`;
}

function totalWords({ total_is_lower_bound: isBound }: ListResult, total: number): string {
  return `${total.toLocaleString('en')}${isBound === true ? '+' : ''}`;
}
