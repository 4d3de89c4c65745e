import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '#infra/data-folder.ts';
import type { Drill } from '../drill.ts';
import { openFleet } from './fleet.ts';
import { openOneMachine } from './one-machine.ts';
import { openSmallDisk } from './small-disk.ts';
import type { Backend, Shape, World } from './world.ts';

type Needs = Pick<Drill, 'needsSmallDisk' | 'startsFrom' | 'needsProxies' | 'needsTls'>;

/** Opens an installation with what its drills need. */
export async function openWorld(
  of: { shape: Shape; backend: Backend; voyageS: number },
  needs: Needs = {},
): Promise<World> {
  const disk = needs.needsSmallDisk ? openSmallDisk() : null;
  const former = needs.startsFrom === undefined ? null : checkOut(needs.startsFrom);
  const settings = {
    backend: of.backend,
    voyageS: of.voyageS,
    ...(disk && { folder: disk.folder }),
    ...(former && { sources: former.folder }),
    needsProxies: needs.needsProxies === true,
    needsTls: needs.needsTls === true,
  };
  let isFree = false;
  const free = (): void => {
    if (isFree) return;
    isFree = true;
    disk?.close();
    former?.remove();
  };
  try {
    const world = await (of.shape === 'fleet' ? openFleet(settings) : openOneMachine(settings));
    const { close } = world;
    world.close = async () => {
      const left = await close();
      free();
      return left;
    };
    return world;
  } catch (error) {
    free();
    throw error;
  }
}

/** A work tree of a commit with its own packages: `npm start` refuses those of another lockfile. */
function checkOut(commit: string): { folder: string; remove: () => void } {
  const folder = join(mkdtempSync(join(tmpdir(), 'landfall-drill-sources-')), 'landfall');
  const run = (command: string, args: string[], cwd: string): void => {
    const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`);
  };
  const git = (...args: string[]): void => run('git', args, projectFolder);
  git('worktree', 'add', '--detach', folder, commit);
  const remove = (): void => git('worktree', 'remove', '--force', folder);
  try {
    run('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], folder);
  } catch (error) {
    remove();
    throw error;
  }
  // Without it there is no dashboard to build.
  rmSync(join(folder, 'services', 'dashboard', 'index.html'));
  return { folder, remove };
}
