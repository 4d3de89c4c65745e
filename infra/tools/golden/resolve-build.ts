import { existsSync, globSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

/**
 * Preloaded with `node --import`: lets the scripts of `infra/tools/golden` and `infra/tools/bench` of this folder drive another
 * build. What they import as `#shared/…`, `#services/…`, `#infra/…` and `#test/…` comes from the folder in
 * `LANDFALL_BUILD`; what they import by a relative path, and the simulator, stays the one beside them, so that both
 * builds are measured by the same scripts and given the same answers. A file that the other build keeps in another folder
 * of the same layer is found by its name.
 */
const build = process.env.LANDFALL_BUILD;
if (build === undefined) throw new Error('LANDFALL_BUILD must name the folder of the build to drive');
const scripts = [new URL('./', import.meta.url).href, new URL('../bench/', import.meta.url).href];

registerHooks({
  resolve: (specifier, context, next) => {
    const isOurs = scripts.some((folder) => context.parentURL?.startsWith(folder));
    if (!isOurs || !specifier.startsWith('#') || specifier.startsWith('#infra/tools/')) return next(specifier, context);
    return next(pathToFileURL(placeIn(build, specifier.slice(1))).href, context);
  },
});

function placeIn(folder: string, path: string): string {
  const place = join(folder, path);
  if (existsSync(place)) return place;
  const layer = path.split('/').slice(0, 2).join('/');
  const [other, ...more] = globSync(`${layer}/**/${basename(path)}`, { cwd: folder });
  return other === undefined || more.length > 0 ? place : join(folder, other);
}
