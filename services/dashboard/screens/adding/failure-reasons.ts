/**
 * Reason for failed rows of an import. `row`: the first one; `more`: the number of other rows read with the same
 * reason.
 */
export type FailureReason = { row: number; more: number; detail: string };

const maxReasons = 5;

/** The first five different reasons in the failed rows of an import, which are NDJSON. */
export function firstReasons(ndjson: string): FailureReason[] {
  const byDetail = new Map<string, FailureReason>();
  for (const line of ndjson.split('\n')) {
    if (line === '') continue;
    const { row, error_detail: detail } = JSON.parse(line) as { row: number; error_detail: string };
    const known = byDetail.get(detail);
    if (known !== undefined) known.more += 1;
    else byDetail.set(detail, { row, more: 0, detail });
  }
  return [...byDetail.values()].slice(0, maxReasons);
}
