import pg from 'pg';

export type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Plans?: PlanNode[];
};

/** A statement as it was run, and how. */
export type WatchedPlan = { text: string; nodes: PlanNode[] };

/**
 * Has a database tell the plan of everything that new connections run, statements inside functions too, with its real parameters. Reads
 * from end to end, and joins that need them, are then planned only where no index serves, however few rows there are. Needs a superuser.
 */
export async function watchPlans(databaseUrl: string): Promise<{ plans: WatchedPlan[]; end: () => void }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const settings = {
      session_preload_libraries: 'auto_explain',
      'auto_explain.log_min_duration': '0',
      'auto_explain.log_format': 'json',
      'auto_explain.log_level': 'notice',
      'auto_explain.log_nested_statements': 'on',
      enable_seqscan: 'off',
      enable_hashjoin: 'off',
      enable_mergejoin: 'off',
    };
    const name = client.escapeIdentifier(new URL(databaseUrl).pathname.slice(1));
    for (const [setting, value] of Object.entries(settings))
      await client.query(`alter database ${name} set ${setting} = '${value}'`);
  } finally {
    await client.end();
  }
  const plans: WatchedPlan[] = [];
  const emit = pg.Client.prototype.emit;
  // Every client tells its notices to nobody but itself.
  pg.Client.prototype.emit = function watched(this: pg.Client, ...args: Parameters<typeof emit>) {
    const [name, notice] = args as [string, { message?: string } | undefined];
    if (name === 'notice' && notice?.message?.startsWith('duration: ')) plans.push(readPlan(notice.message));
    return emit.apply(this, args);
  };
  return {
    plans,
    end: () => {
      pg.Client.prototype.emit = emit;
    },
  };
}

function readPlan(message: string): WatchedPlan {
  const { 'Query Text': text, Plan: root } = JSON.parse(message.slice(message.indexOf('{'))) as {
    'Query Text': string;
    Plan: PlanNode;
  };
  return { text, nodes: flatten(root) };
}

function flatten(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flatten)];
}
