import type { Store, Tx } from '#shared/store/open-store.ts';
import { withAccount, withSystem } from '#shared/store/with-account.ts';

/** The cost of one statement: buffers touched, rows sorted, and tables read with a sequential scan. */
export type QueryCost = {
  text: string;
  blocks: number;
  sortedRows: number;
  readWhole: string[];
  indexes: string[];
  plan: string;
};

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
};

/** Runs `fn` on a connection that explains each statement, with the role and the account of a request. */
export async function explainQueries(
  store: Store,
  accountId: string,
  fn: (tx: Tx) => Promise<unknown>,
): Promise<QueryCost[]> {
  return withAccount(store, accountId, (tx) => explainAll(tx, fn));
}

/** The same with the system role. A statement that writes runs twice: explaining it runs it too. */
export async function explainSystemQueries(store: Store, fn: (tx: Tx) => Promise<unknown>): Promise<QueryCost[]> {
  return withSystem(store, (tx) => explainAll(tx, fn));
}

async function explainAll(tx: Tx, fn: (tx: Tx) => Promise<unknown>): Promise<QueryCost[]> {
  const costs: QueryCost[] = [];
  const query = tx.query.bind(tx) as (statement: {
    text: string;
    values?: unknown[];
  }) => Promise<{ rows: Record<string, unknown>[] }>;
  const explaining = async (statement: { name?: string; text: string; values?: unknown[] }) => {
    const { rows } = await query({
      text: `explain (analyze, buffers, format json) ${statement.text}`,
      values: statement.values ?? [],
    });
    const [explained] = (rows[0]?.['QUERY PLAN'] ?? []) as { Plan: PlanNode }[];
    if (explained === undefined) throw new Error('no plan was given');
    costs.push({ text: statement.text, ...costOf(explained.Plan) });
    return query(statement);
  };
  await fn({ query: explaining } as unknown as Tx);
  return costs;
}

function costOf(root: PlanNode): Omit<QueryCost, 'text'> {
  const nodes = flatten(root);
  return {
    blocks: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
    sortedRows: Math.max(
      0,
      ...nodes.filter((node) => node['Node Type'].includes('Sort')).flatMap((node) => (node.Plans ?? []).map(rowsOf)),
    ),
    // A scan that never ran has read nothing.
    readWhole: nodes
      .filter((node) => node['Node Type'] === 'Seq Scan' && node['Actual Loops'] !== 0)
      .map((node) => node['Relation Name'] ?? ''),
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
    plan: describe(root, 0),
  };
}

function describe(node: PlanNode, depth: number): string {
  const name = [
    node['Node Type'],
    node['Index Name'] ?? node['Relation Name'],
    `rows=${rowsOf(node)}`,
    `blocks=${node['Shared Hit Blocks'] + node['Shared Read Blocks']}`,
  ]
    .filter(Boolean)
    .join(' ');
  return [`${'  '.repeat(depth)}${name}`, ...(node.Plans ?? []).map((child) => describe(child, depth + 1))].join('\n');
}

function rowsOf(node: PlanNode): number {
  return node['Actual Rows'] * node['Actual Loops'];
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
