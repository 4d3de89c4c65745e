import { parser } from '@prometheus-io/lezer-promql';

export type PromqlParts = { metrics: string[]; labels: string[] };

/** Values for the Grafana variables that the dashboards use. */
function withoutVariables(expression: string): string {
  return expression.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '1h').replaceAll('$carrier', '.*');
}

/** The metrics and labels in an expression. Throws if it isn't valid PromQL. */
export function readPromql(expression: string): PromqlParts {
  const text = withoutVariables(expression);
  const metrics = new Set<string>();
  const labels = new Set<string>();
  parser.parse(text).iterate({
    enter: (node) => {
      const word = text.slice(node.from, node.to);
      if (node.type.isError)
        throw new Error(`no PromQL at ${node.from}: ${text.slice(0, node.from)}⟨${text.slice(node.from)}⟩`);
      if (node.name === 'Identifier' && node.node.parent?.name === 'VectorSelector') metrics.add(word);
      if (node.name === 'LabelName') labels.add(word);
    },
  });
  return { metrics: [...metrics], labels: [...labels] };
}
