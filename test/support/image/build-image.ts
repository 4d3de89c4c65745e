import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, link, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, matchesGlob, relative, resolve } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { commandOf, readStages, type Stage, type Step } from './dockerfile.ts';

/** The result of a Dockerfile's lines, in folders of this machine instead of layers. */
export type Image = {
  /** Stands for `/` of the image's last stage. */
  root: string;
  /** Working directory of its commands, below `root`. */
  folder: string;
  env: Record<string, string>;
  user: string;
  /** The only folder that its commands may write. */
  writable: string;
  command: string[];
  healthCheck: string[];
};

export type BuildOptions = {
  /** The project. */
  context: string;
  /** Folders that stand for `/` of stages that are not run, by the stage's name. */
  built?: Readonly<Record<string, string>>;
};

const run = promisify(execFile);

/**
 * Runs the FROM, WORKDIR, ENV, COPY and RUN lines of the project's Dockerfile as written. Each stage starts with an empty
 * folder and the Node of this process in place of its base image. An instruction that it doesn't know is an error.
 */
export async function buildImage({ context, built = {} }: BuildOptions): Promise<Image> {
  const stages = readStages(await readFile(join(context, 'infra/deploy/Dockerfile'), 'utf8'));
  const home = await mkdtemp(join(tmpdir(), 'landfall-image-'));
  // Another user runs the commands.
  await chmod(home, 0o755);
  const roots = new Map(Object.entries(built));
  let image: Image | null = null;
  for (const stage of stages) {
    if (roots.has(stage.name)) continue;
    const root = join(home, stage.name);
    await provideNode(root);
    roots.set(stage.name, root);
    image = await runStage(stage, { root, roots, context });
  }
  if (image === null) throw new Error('the Dockerfile has no stage');
  return image;
}

/** Removes the folders of all stages and what the commands have written. */
export async function removeImage({ root }: Image): Promise<void> {
  await rm(dirname(root), { recursive: true, force: true });
}

async function provideNode(root: string): Promise<void> {
  const folder = join(root, 'usr/local/bin');
  await mkdir(folder, { recursive: true });
  const node = join(folder, 'node');
  await link(process.execPath, node).catch(() => copyFile(process.execPath, node));
}

type StageContext = { root: string; roots: ReadonlyMap<string, string>; context: string };

async function runStage(stage: Stage, { root, roots, context }: StageContext): Promise<Image> {
  const image: Image = {
    root,
    folder: '/',
    env: {},
    user: 'root',
    writable: join(dirname(root), 'tmp'),
    command: [],
    healthCheck: [],
  };
  const ignores = await readIgnores(context);
  const inStage = (path: string) => join(root, resolve(image.folder, path));
  for (const step of stage.steps) {
    if (step.keyword === 'WORKDIR') {
      image.folder = resolve(image.folder, step.text);
      await mkdir(inStage('.'), { recursive: true });
    } else if (step.keyword === 'ENV') {
      Object.assign(image.env, Object.fromEntries(step.words.map((word) => word.split('=', 2))));
    } else if (step.keyword === 'COPY') {
      await copy(step, { inStage, from: roots.get(step.from ?? '') ?? null, context, ignores });
    } else if (step.keyword === 'RUN') {
      await run('/bin/sh', ['-c', step.text], { cwd: inStage('.'), env: buildEnv(image, root), maxBuffer: 2 ** 26 });
    } else if (step.keyword === 'USER') {
      image.user = step.text;
    } else if (step.keyword === 'CMD') {
      image.command = commandOf(step);
    } else if (step.keyword === 'HEALTHCHECK') {
      image.healthCheck = commandOf(step);
    } else if (step.keyword !== 'EXPOSE') {
      throw new Error(`no support for ${step.keyword}`);
    }
  }
  return image;
}

/** npm comes with the base image; here it is that of this machine, with its cache. */
function buildEnv(image: Image, root: string): NodeJS.ProcessEnv {
  return {
    ...image.env,
    PATH: [join(root, 'usr/local/bin'), process.env.PATH].join(':'),
    HOME: process.env.HOME,
    npm_config_cache: process.env.npm_config_cache,
    npm_config_registry: process.env.npm_config_registry,
    npm_config_prefer_offline: 'true',
  };
}

type CopyContext = {
  inStage: (path: string) => string;
  from: string | null;
  context: string;
  ignores: (path: string) => boolean;
};

async function copy({ words, from: name }: Step, { inStage, from, context, ignores }: CopyContext): Promise<void> {
  const target = words.at(-1) ?? '';
  for (const source of words.slice(0, -1)) {
    const to = target.endsWith('/') ? join(inStage(target), source) : inStage(target);
    await mkdir(dirname(to), { recursive: true });
    if (name === null) {
      const isSent = (path: string) => !ignores(relative(context, path));
      if (!isSent(join(context, source))) throw new Error(`.dockerignore keeps ${source} out`);
      await cp(join(context, source), to, { recursive: true, filter: isSent });
    } else {
      if (from === null) throw new Error(`no stage ${name}`);
      // Hard links: a layer isn't changed after it was made.
      await run('cp', ['-alT', join(from, source), to]);
    }
  }
}

/** Returns a function that checks a path against .dockerignore. The last matching rule decides, as in Docker. */
async function readIgnores(context: string): Promise<(path: string) => boolean> {
  const lines = (await readFile(join(context, '.dockerignore'), 'utf8')).split('\n').map((line) => line.trim());
  const rules = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ pattern: line.replace(/^!/, ''), lets: line.startsWith('!') }));
  return (path) => {
    const parts = path.split('/');
    const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const last = rules.findLast(({ pattern }) => prefixes.some((prefix) => matchesGlob(prefix, pattern)));
    return last !== undefined && !last.lets && path !== '';
  };
}
