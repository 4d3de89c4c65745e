import type { Portfolio } from '../portfolio.ts';
import type { Answer, Content } from '../question.ts';

/** A range of days or times; null: open. */
export type Range = [from: string | null, to: string | null];

/** Conditions that narrow a list down, in the words of a logistics desk rather than those of any tool. */
export type Where = {
  text?: string;
  carrier?: string[];
  mode?: string[];
  status?: string[];
  from?: string[];
  to?: string[];
  tag?: string[];
  order?: string[];
  arrives?: Range;
  left?: Range;
  delivered?: Range;
  registered?: Range;
  changedSince?: string;
  freeUntil?: Range;
  clock?: string[];
  trouble?: string[];
  anyTrouble?: boolean;
  toDo?: boolean;
  late?: boolean;
  delayedHours?: number;
  stale?: boolean;
  tracking?: string[];
  archived?: 'true' | 'any';
};

/** Request to the tools. `numbers` of several kinds may be mixed. `order`: a sort in plain words. */
export type Intent =
  | { want: 'one'; number: string; history?: boolean }
  | { want: 'many'; numbers: string[]; where?: Where }
  | {
      want: 'list';
      where: Where;
      order?: 'arrival' | 'oldest' | 'latest change' | 'last free day' | 'longest delay';
      first?: number;
    }
  | { want: 'count'; where: Where; per?: string };

export const kinds = [
  'one number',
  'many numbers',
  'lists',
  'counts and groups',
  'dates in words',
  'late',
  'free time',
  'terminals',
  'vessels',
  'places by other names',
  'archived',
  'other accounts',
  'nothing found',
  'hostile texts',
  'follow-ups with a cursor',
] as const;

/** `read`: what the answers say. `truth`: what the stories of the portfolio say, which no tool has shown. */
export type DeskQuestion = {
  kind: (typeof kinds)[number];
  ask: string;
  intent: Intent;
  read: (answers: readonly Answer[], mine: Portfolio) => unknown;
  truth: (mine: Portfolio) => unknown;
};

/** The names of the stories in all rows, sorted. A row of somebody else's is `unknown`. */
export function namesOf(answers: readonly Answer[], mine: Portfolio): string[] {
  return answers
    .flatMap(({ content }) => content?.shipments ?? [])
    .map((row: Content) => mine.byId(row.shipment_id)?.name ?? 'unknown')
    .toSorted();
}

export function lastContent(answers: readonly Answer[]): Content {
  return answers.at(-1)?.content ?? {};
}
