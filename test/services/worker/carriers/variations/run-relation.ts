import { type Fixture, type Outcome, readVaried } from './read-varied.ts';
import { type Relation, shapeOf } from './relation.ts';

/** `count`: the variants that changed the answer. */
export type RelationRun = { count: number; violations: string[] };

/** Reads each variant of a fixture. One that changes nothing isn't read. */
export async function runRelation(relation: Relation, fixture: Fixture, before: Outcome): Promise<RelationRun> {
  const run: RelationRun = { count: 0, violations: [] };
  for (const vary of relation.variants(fixture, shapeOf(fixture))) {
    let isChanged = false;
    const after = await readVaried(fixture, (body) => {
      const varied = vary(body);
      isChanged ||= JSON.stringify(varied) !== JSON.stringify(body);
      return varied;
    });
    if (!isChanged) continue;
    run.count += 1;
    run.violations.push(...relation.violations(before, after, fixture));
  }
  return run;
}
