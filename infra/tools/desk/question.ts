import type { Portfolio } from './portfolio.ts';

export type Row = {
  shipment_id: string;
  status: string;
  transport_mode: string;
  free_time?: string;
  carrier: string;
  identifier?: string;
  reference?: string;
  origin?: string;
  destination?: string;
  eta?: string;
  delay_hours?: number;
  overdue_hours?: number;
  exception?: string;
  last_event?: string;
  last_event_at?: string;
  delivered_at?: string;
  containers?: string[];
  departed_at?: string;
  created_at?: string;
  terminal?: string;
  matched?: string[];
  omitted?: string;
  tracking?: string;
  stale?: boolean;
};

// biome-ignore lint/suspicious/noExplicitAny: the tests verify the shape themselves
export type Content = any;

export type Call = { tool: 'list' | 'details'; args: Record<string, unknown> };
export type Answer = Call & { text: string; isError: boolean; content: Content; tokensIn: number; tokensOut: number };

/** A call, or a function that derives it from the answers so far; null means that the model asks nothing more. */
export type NextCall = Call | ((answers: Answer[]) => Call | null);

/** A question of one account. `ways` are the call sequences of different models, each of which must work. */
export type Question = {
  ask: string;
  ways: NextCall[][];
  /** Fails unless the answers contain the facts. */
  check: (answers: Answer[], mine: Portfolio) => void;
};

export const maxCalls = 2;

export function list(args: Record<string, unknown> = {}): Call {
  return { tool: 'list', args };
}

export function details(args: Record<string, unknown>): Call {
  return { tool: 'details', args };
}

/** The page after the previous answer's, with the same arguments. */
export function nextPage(answers: Answer[]): Call | null {
  const last = answers.at(-1);
  if (last === undefined || last.content?.has_more !== true) return null;
  return list({ ...last.args, cursor: last.content.next_cursor });
}

/** The rows of all list answers. */
export function rowsOf(answers: Answer[]): Row[] {
  return answers.flatMap((answer) => answer.content?.shipments ?? []);
}

/** The details in the answer at this index. Throws if it is another kind of answer. */
export function recordOf(answers: Answer[], place = 0): Content {
  const content = answers[place]?.content;
  if (content?.events === undefined && content?.shipment_id === undefined)
    throw new Error(`no record: ${answers[place]?.text}`);
  return content;
}
