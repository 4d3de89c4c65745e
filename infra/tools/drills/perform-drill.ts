import { type Checker, type CheckerSettings, openChecker, type Verdict } from './checker/checker.ts';
import type { Drill, Figures, Length } from './drill.ts';
import { expireLeases } from './expire-leases.ts';
import type { Backend, Shape, World } from './worlds/world.ts';

/** The outcome of one drill in one world. */
export type DrillResult = Verdict & {
  drill: string;
  shape: Shape;
  backend: Backend;
  length: Length;
  /** ISO 8601. */
  at: string;
  /** From the end of the fault until a new shipment and an earlier one were refreshed. */
  recoveryMs: number;
  figures: Figures;
};

const clientCount = 4;
const numbersPerDrill = 4096;
let drills = 0;

/**
 * Runs a drill: load, the fault, and the wait until refreshes flow again. `settle` then waits for the end of every
 * voyage and compares; several drills of one world may settle together.
 */
export async function performDrill(
  world: World,
  drill: Drill,
  length: Length,
): Promise<{ settle: () => Promise<DrillResult> }> {
  const entry = (await drill.openEntry?.(world, length)) ?? null;
  const checker = await startChecker(world, { ...drill.load, ...(entry && { urls: entry.urls }) }, length);
  const surprisesBefore = world.surprises().length;
  const at = new Date().toISOString();
  await checker.untilAcknowledged(2 * clientCount);
  const figures = (await drill.run({ world, checker, length })) ?? {};
  // A lost job is found when its lease of a minute expires. The short form doesn't wait for it.
  if (length === 'short') await expireLeases(world);
  const recoveryMs = await checker.untilRefreshesFlow();
  await checker.stopRegistering();
  for (const line of world.surprises().slice(surprisesBefore))
    checker.ledger.find('answer', `ended by itself: ${line}`);
  return {
    settle: async () => {
      const verdict = await checker.verify();
      await entry?.close();
      const of = { drill: drill.name, shape: world.shape, backend: world.backend, length, at };
      return { ...of, ...verdict, recoveryMs, figures: { ...figures, ...(entry && { proxy: entry.name }) } };
    },
  };
}

/** A checker with an account and numbers that no other drill of this world uses. */
export async function startChecker(world: World, changes: Partial<CheckerSettings>, length: Length): Promise<Checker> {
  const { key } = await world.newAccount();
  drills += 1;
  return openChecker({
    urls: world.apiUrls,
    key,
    simulatorUrl: world.simulatorUrl,
    firstNumber: drills * numbersPerDrill,
    count: clientCount,
    ...(length === 'short' ? { registrationsPerS: 4, maxRegistrations: 60 } : { registrationsPerS: 6 }),
    ...changes,
  });
}
