import { registerHooks } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

/**
 * Preloaded with `node --import`: lets the scripts of `infra/tools/golden` and `infra/tools/bench` of this folder drive another
 * build. What they import as `#shared/…`, `#services/…`, `#infra/…` and `#test/…` comes from the folder in
 * `LANDFALL_BUILD`; what they import by a relative path, and the simulator, stays the one beside them, so that both
 * builds are measured by the same scripts and given the same answers.
 */
const build = process.env.LANDFALL_BUILD;
if (build === undefined) throw new Error('LANDFALL_BUILD must name the folder of the build to drive');
const scripts = [new URL('./', import.meta.url).href, new URL('../bench/', import.meta.url).href];

registerHooks({
  resolve: (specifier, context, next) => {
    const isOurs = scripts.some((folder) => context.parentURL?.startsWith(folder));
    if (!isOurs || !specifier.startsWith('#') || specifier.startsWith('#infra/tools/')) return next(specifier, context);
    return next(pathToFileURL(join(build, specifier.slice(1))).href, context);
  },
});
