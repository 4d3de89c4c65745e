import pg from 'pg';

export type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Plans?: PlanNode[];
};

/** A statement and its plan. */
export type WatchedPlan = { text: string; nodes: PlanNode[] };

/**
 * Makes a database report the plan of every statement that new connections run, including statements in functions, with
 * its real parameters. Sequential scans, and joins that need them, are planned only if no index can be used, even if
 * there are few rows. Needs a superuser.
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
  // Each client receives only its own notices.
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
