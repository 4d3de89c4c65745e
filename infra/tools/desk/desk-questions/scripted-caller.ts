import type { Answer, Call } from '../question.ts';
import type { Intent, Range, Where } from './intent.ts';

type Schema = {
  type?: string;
  description?: string;
  enum?: string[];
  items?: Schema;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
};
export type ListedTool = { name: string; description?: string; inputSchema: { properties?: Record<string, Schema> } };

/** Words that identify each argument in the names and descriptions of `tools/list`. */
const words: Record<Exclude<keyof Where, 'arrives' | 'left' | 'delivered' | 'registered' | 'freeUntil'>, RegExp> = {
  text: /^query\b.*part of/i,
  carrier: /^carrier\b/i,
  mode: /^transport_mode\b/i,
  status: /^status\b.*cargo/i,
  from: /^origin\b/i,
  to: /^destination\b/i,
  tag: /^tag\b/i,
  order: /^reference\b/i,
  changedSince: /^updated_since\b/i,
  clock: /^free_time\b.*clock/i,
  trouble: /^exception\b/i,
  anyTrouble: /^has_exception\b/i,
  toDo: /must act/i,
  late: /^late\b/i,
  delayedHours: /^delayed_min_hours\b/i,
  stale: /^stale\b/i,
  tracking: /^tracking_state\b/i,
  archived: /^archived\b/i,
};
const ranges = {
  arrives: /^eta_(from|to)\b/i,
  left: /^departed_(from|to)\b/i,
  delivered: /^delivered_(from|to)\b/i,
  registered: /^created_(from|to)\b/i,
  freeUntil: /^last_free_day_(from|to)\b/i,
} as const;
const orders = {
  arrival: 'eta',
  oldest: 'created_at',
  'latest change': '-updated_at',
  'last free day': 'last_free_day',
  'longest delay': '-delay_hours',
} as const;

/**
 * A caller without a model: it knows what is wanted and learns from `tools/list` alone how to ask for it. Where the list
 * offers no argument for a condition it cannot ask, and the question fails; nothing here knows the server.
 */
export function scriptedCaller(tools: readonly ListedTool[]) {
  const listTool = toolWith(/^cursor$/);
  const detailsTool = toolWith(/^identifier$/);
  const argumentsOf = (tool: ListedTool) => Object.entries(tool.inputSchema.properties ?? {});

  function toolWith(argument: RegExp): ListedTool {
    const found = tools.find(({ inputSchema }) =>
      Object.keys(inputSchema.properties ?? {}).some((name) => argument.test(name)),
    );
    if (found === undefined) throw new Error(`no tool takes ${argument}`);
    return found;
  }

  function argument(pattern: RegExp): [string, Schema] {
    const found = argumentsOf(listTool).find(([name, { description = '' }]) => pattern.test(`${name} ${description}`));
    if (found === undefined) throw new Error(`no argument of ${listTool.name} is described like ${pattern}`);
    return found;
  }

  function filters(where: Where): Record<string, unknown> {
    const given: Record<string, unknown> = {};
    for (const [condition, value] of Object.entries(where) as [keyof Where, unknown][]) {
      if (condition in ranges) {
        for (const [edge, bound] of [
          ['from', (value as Range)[0]],
          ['to', (value as Range)[1]],
        ] as const) {
          const stem = ranges[condition as keyof typeof ranges].source.replace('(from|to)', edge);
          if (bound !== null) given[argument(new RegExp(stem, 'i'))[0]] = bound;
        }
        continue;
      }
      const [name, schema] = argument(words[condition as keyof typeof words]);
      const allowed = schema.items?.enum ?? schema.enum;
      const unknown = [value].flat().find((one) => allowed !== undefined && !allowed.includes(String(one)));
      if (unknown !== undefined) throw new Error(`${name} does not take ${unknown}`);
      given[name] = schema.type === 'array' ? value : [value].flat()[0];
    }
    return given;
  }

  const list = (args: Record<string, unknown>): Call => ({ tool: 'list', args });
  const largestPage = () => argument(/^limit\b/)[1].maximum ?? 20;

  function first(intent: Intent): Call {
    if (intent.want === 'one') {
      const full = argumentsOf(detailsTool).find(([, { enum: formats }]) => formats?.includes('detailed'));
      const more = intent.history === true && full !== undefined ? { [full[0]]: 'detailed' } : {};
      return { tool: 'details', args: { identifier: intent.number, ...more } };
    }
    if (intent.want === 'many') {
      const [name, { maxItems = 1 }] = argument(/^identifiers?\b.*numbers/i);
      if (intent.numbers.length > maxItems) throw new Error('too many numbers for one call');
      return list({ [name]: intent.numbers, ...filters(intent.where ?? {}) });
    }
    const where = filters(intent.where);
    if (intent.want === 'count') {
      const [limit, { minimum = 1 }] = argument(/^limit\b/);
      const group = intent.per === undefined ? {} : groupBy(intent.per);
      return list({ ...where, ...group, [limit]: minimum });
    }
    const sort = intent.order === undefined ? {} : { sort: sortLike(orders[intent.order]) };
    return list({ ...where, ...sort, limit: intent.first ?? largestPage() });
  }

  function groupBy(dimension: string): Record<string, unknown> {
    const [name, { enum: dimensions = [] }] = argument(/count per value/i);
    if (!dimensions.includes(dimension)) throw new Error(`${name} does not take ${dimension}`);
    return { [name]: dimension };
  }

  function sortLike(order: string): string {
    const { enum: sorts = [] } = argument(/^sort\b/)[1];
    if (!sorts.includes(order)) throw new Error(`sort does not take ${order}`);
    return order;
  }

  /** The next call; null: the answers say what was wanted, or nothing more can be asked. */
  return function decide(intent: Intent, answers: readonly Answer[]): Call | null {
    const last = answers.at(-1);
    if (last === undefined) return first(intent);
    const { content } = last;
    if (intent.want === 'one' && content?.matches !== undefined)
      return { tool: 'details', args: { shipment_id: content.matches[0].shipment_id } };
    const isCut =
      content?.has_more === true && (intent.want === 'many' || (intent.want === 'list' && intent.first === undefined));
    return isCut ? list({ ...last.args, cursor: content.next_cursor }) : null;
  };
}
