import { byLength, type Drill, type Field } from '../drill.ts';
import { copyAsOtherBuild } from '../worlds/other-build.ts';
import { backends } from '../worlds/world.ts';
import { load } from './processes.ts';

/** Two builds on one database. */
export const releaseDrills: readonly Drill[] = [
  {
    name: 'two-releases',
    what: 'an API and a worker of another release beside those of this one, then in their place',
    shapes: ['fleet'],
    backends,
    inTests: null,
    run: runBeside,
  },
];

async function runBeside({ world, length }: Field): Promise<{ turns: number }> {
  const other = copyAsOtherBuild();
  const turns = byLength(length, { short: 1, long: 3 });
  try {
    for (let turn = 0; turn < turns; turn += 1) {
      const changesOf = (index: number) => (index === turn % 2 ? { sources: other.folder } : {});
      await Promise.all([world.restart('api', changesOf), world.restart('worker', changesOf)]);
      await world.untilUp();
      await load(length, { short: 4, long: 20 });
    }
    await Promise.all([world.restart('api', () => ({})), world.restart('worker', () => ({}))]);
    await world.untilUp();
    return { turns };
  } finally {
    other.remove();
  }
}
