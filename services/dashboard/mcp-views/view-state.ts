import { setReadAt } from '../api/feed-state.ts';
import { type HostAbilities, openHost, type ToolArgs, type ToolName } from './host.ts';
import { type Answer, readAnswer, readAtOf } from './read-answer.ts';

/** One page of the view: the answer of the conversation, or what was opened from it. */
export type Screen = {
  tool: ToolName;
  /** Null: the host has not named them, so the call can't be repeated. */
  args: ToolArgs | null;
  /** Null: not there yet. `cancelled`: it will not come. */
  answer: Answer | 'cancelled' | null;
  /** Request in progress. */
  busy: 'refresh' | 'more' | 'filter' | 'open' | null;
  /** Error of the last request of the view. */
  problem: string | null;
  /** Rows are shown for these statuses alone. */
  statuses: readonly string[];
  /** Of the list without `statuses`. */
  counts: Readonly<Record<string, number>> | null;
};

export type ViewState = { abilities: HostAbilities; screens: readonly [Screen, ...Screen[]] };

export type ViewActions = {
  /** Asks again with the same arguments. */
  refresh: () => void;
  /** Appends the next page of a list. */
  more: () => void;
  /** Shows only these statuses of a list; none: all. */
  filter: (statuses: readonly string[]) => void;
  open: (shipmentId: string) => void;
  /** Asks for more events of the shipment that is shown. */
  openAll: () => void;
  back: () => void;
  openLink: (url: string) => void;
};

export type View = {
  read: () => ViewState;
  watch: (watcher: () => void) => () => void;
  actions: ViewActions;
};

const emptyScreen = { answer: null, busy: null, problem: null, statuses: [], counts: null } as const;

/** Keeps what the view shows, and asks the host for more. One request at a time. */
export function openView(name: string, tool: ToolName): View {
  let state: ViewState = {
    abilities: { callsTools: false, opensLinks: false },
    screens: [{ ...emptyScreen, tool, args: null }],
  };
  const watchers = new Set<() => void>();
  const set = (next: Partial<ViewState>) => {
    state = { ...state, ...next };
    const shown = state.screens.at(-1)?.answer;
    setReadAt(shown == null || shown === 'cancelled' ? null : readAtOf(shown));
    for (const watcher of watchers) watcher();
  };
  const shown = () => state.screens.at(-1) as Screen;
  const setShown = (change: Partial<Screen>) => {
    const [...screens] = state.screens;
    screens[screens.length - 1] = { ...shown(), ...change };
    set({ screens: screens as unknown as ViewState['screens'] });
  };
  const setFirst = (change: Partial<Screen>) => set({ screens: [{ ...state.screens[0], ...change }] });

  const host = openHost(name, {
    connected: (abilities) => set({ abilities }),
    input: (args) => setFirst({ args }),
    // A new result of the conversation replaces everything that was opened from an earlier one.
    result: (result) => {
      const answer = readAnswer(result);
      setFirst({ ...emptyScreen, answer, counts: countsOf(answer) });
    },
    cancelled: () => setFirst({ ...emptyScreen, answer: 'cancelled' }),
  });

  /** Runs a call of the shown page. Null: it failed, which the view shows above its content, or nothing waits for it any more. */
  const ask = async (busy: NonNullable<Screen['busy']>, name: ToolName, args: ToolArgs): Promise<Answer | null> => {
    if (shown().busy !== null || !state.abilities.callsTools) return null;
    setShown({ busy, problem: null });
    const [asking, asked] = [state.screens.length, state.screens[0].answer];
    const answer = await host.callTool(name, args).then(readAnswer, failed);
    // The page has been left, or the conversation has another result.
    if (state.screens.length !== asking || (asking > 1 && state.screens[0].answer !== asked)) return null;
    setShown({ busy: null, problem: answer.kind === 'error' ? answer.text : null });
    return answer.kind === 'error' ? null : answer;
  };

  const refresh = async () => {
    const { tool: name, args, statuses } = shown();
    if (args === null) return;
    const answer = await ask('refresh', name, withStatuses(args, statuses));
    if (answer !== null) setShown({ answer, ...(statuses.length === 0 ? { counts: countsOf(answer) } : {}) });
  };

  const more = async () => {
    const { tool: name, args, answer, statuses } = shown();
    if (args === null || answer === null || answer === 'cancelled' || answer.kind !== 'list') return;
    const { list } = answer;
    if (list.next_cursor === undefined) return;
    const next = await ask('more', name, { ...withStatuses(args, statuses), cursor: list.next_cursor });
    if (next?.kind === 'list') setShown({ answer: joined(answer, next) });
  };

  const filter = async (statuses: readonly string[]) => {
    const { tool: name, args } = shown();
    if (args === null) return;
    const { cursor: _page, ...rest } = args;
    const answer = await ask('filter', name, withStatuses(rest, statuses));
    if (answer !== null) setShown({ answer, statuses });
  };

  const open = async (shipmentId: string) => {
    const [name, args] = ['get_shipment_details', { shipment_id: shipmentId }] as const;
    const answer = await ask('open', name, args);
    if (answer !== null) set({ screens: [...state.screens, { ...emptyScreen, tool: name, args, answer }] });
  };

  const openAll = async () => {
    const { tool: name, args } = shown();
    if (args === null) return;
    const all = { ...args, response_format: 'detailed' };
    const answer = await ask('refresh', name, all);
    if (answer !== null) setShown({ answer, args: all });
  };

  const openLink = async (url: string) => {
    if (!(await host.openLink(url))) setShown({ problem: `The link was not opened: ${url}` });
  };

  return {
    read: () => state,
    watch: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    actions: {
      refresh,
      more,
      filter,
      open,
      openAll,
      openLink,
      back: () => {
        const [first, ...rest] = state.screens;
        set({ screens: [first, ...rest.slice(0, -1)] });
      },
    },
  };
}

function withStatuses(args: ToolArgs, statuses: readonly string[]): ToolArgs {
  return statuses.length === 0 ? args : { ...args, status: statuses };
}

function failed(error: unknown): Answer {
  const why = error instanceof Error && error.message !== '' ? ` ${error.message}` : '';
  return { kind: 'error', text: `The call was not answered.${why}` };
}

function countsOf(answer: Answer): Screen['counts'] {
  return answer.kind === 'list' ? answer.list.counts_by_status : null;
}

type ListAnswer = Extract<Answer, { kind: 'list' }>;

/** A shipment that moved between two pages is shown once. */
function joined(answer: ListAnswer, next: ListAnswer): ListAnswer {
  return {
    kind: 'list',
    list: { ...next.list, shipments: eachOnce(answer.list.shipments, next.list.shipments) },
    rows: answer.rows === null || next.rows === null ? null : eachOnce(answer.rows, next.rows),
  };
}

function eachOnce<Row extends { shipment_id: string }>(rows: readonly Row[], next: readonly Row[]): Row[] {
  const known = new Set(rows.map(({ shipment_id: id }) => id));
  return [...rows, ...next.filter(({ shipment_id: id }) => !known.has(id))];
}
