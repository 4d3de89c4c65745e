// Runs on Node 20 and later, before anything is installed: it installs what is missing and hands over to Node 24.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const scripts = {
  start: 'start.ts',
  test: 'test.ts',
  keys: 'keys.ts',
  backup: 'backup.ts',
  restore: 'restore.ts',
  doctor: 'doctor.ts',
  'config-docs': 'write-configuration-doc.ts',
  openapi: 'write-openapi.ts',
  bench: '../../test/bench/main.ts',
};
const [name = 'start', ...args] = process.argv.slice(2);
const script = scripts[name];
if (!script) stop(`There is no "${name}". Choose one of ${Object.keys(scripts).join(', ')}.`);
if (major(process.versions.node) < 20)
  stop(`Landfall needs Node 20 or later to install itself; this is ${process.versions.node}.`);

if (!installed(name === 'test' || name === 'openapi')) install();
const node = findNode();
const child = spawn(node, [join(root, 'infra', 'scripts', script), ...args], {
  cwd: root,
  // The channel tells the child when this process is gone, however it went.
  stdio: name === 'start' ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
  env: { ...process.env, PATH: [dirname(node), process.env.PATH].filter(Boolean).join(delimiter) },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
if (process.env.npm_lifecycle_event) stopWithParent();
child.once('error', (error) => stop(`Node 24 could not be started: ${error.message}`));
child.once('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));

/** npm passes SIGTERM only to the shell between us, which dies of it without a word. */
function stopWithParent() {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 250);
  watch.unref();
}

/** Whether node_modules holds the versions of package-lock.json, as npm itself recorded them. */
function installed(withDevelopment) {
  const recorded = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(recorded)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(recorded, 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, optional, devOptional, dev, peer }]) => {
    if (path === '' || present[path]?.version === version) return true;
    // Another platform's packages, and those of `npm ci --omit=dev`.
    const mayMiss = optional || devOptional || peer || (dev && !withDevelopment);
    return Boolean(mayMiss) && !present[path];
  });
}

function install() {
  const folder = join(root, 'node_modules');
  // npm ci would empty the folder that the link leads to.
  if (existsSync(folder) && lstatSync(folder).isSymbolicLink())
    stop('node_modules is a link and out of date: run npm ci where it leads to.');
  const started = Date.now();
  process.stdout.write('… installing packages (npm ci)\n');
  const npm = process.env.npm_execpath?.endsWith('npm-cli.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
  const [command, ...first] = npm;
  const run = spawnSync(command, [...first, 'ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (run.status !== 0)
    stop(
      `${run.stderr ?? ''}${run.error?.message ?? ''}\nThe packages could not be installed: see the lines above, or run npm ci yourself.`,
    );
  process.stdout.write(`✓ packages installed (${Date.now() - started} ms)\n`);
}

function findNode() {
  if (major(process.versions.node) >= 24) return process.execPath;
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const packaged = join(root, 'node_modules', `node-${platform}-${process.arch}`, 'bin', file);
  if (existsSync(packaged)) return packaged;
  return stop(
    `Landfall needs Node 24; this is Node ${process.versions.node}. Install it from https://nodejs.org and start again.`,
  );
}

function major(version) {
  return Number(version.split('.')[0]);
}

function stop(line) {
  process.stderr.write(`${line.trim()}\n`);
  process.exit(1);
}
