// Runs on Node 20 and later, before anything is installed: installs missing packages and starts the script on Node 24.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const scripts = {
  start: 'start.ts',
  dev: 'dev.ts',
  check: 'check.ts',
  test: 'test.ts',
  drills: 'drills.ts',
  bench: '../tools/bench/main.ts',
  generate: 'generate.ts',
  keys: 'keys.ts',
  listen: 'listen.ts',
  backup: 'backup.ts',
  restore: 'restore.ts',
  doctor: 'doctor.ts',
};
/** The scripts also need the development packages. */
const forDevelopment = ['dev', 'check', 'test', 'drills', 'generate'];
const npm = process.env.npm_lifecycle_event ? findNpm() : null;
const [name = 'start', ...args] = process.argv.slice(2);
const script = scripts[name];
if (!script) stop(`Unknown command: ${name}. Choose from ${Object.keys(scripts).join(', ')}.`);
if (major(process.versions.node) < 20)
  stop(`Landfall needs Node 20 or later to install itself. This is Node ${process.versions.node}.`);

if (!installed(forDevelopment.includes(name))) install();
const node = findNode();
const child = spawn(node, [join(root, 'infra', 'scripts', script), ...args], {
  cwd: root,
  // The channel closes when this process ends, even if it is killed.
  stdio: name === 'start' || name === 'dev' ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
  env: { ...process.env, PATH: [dirname(node), process.env.PATH].filter(Boolean).join(delimiter) },
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
if (npm !== null) stopWithNpm();
child.once('error', (error) => stop(`Node 24 couldn't be started: ${error.message}`));
child.once('exit', (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));

/**
 * Ends with npm. npm sends SIGTERM only to the shell between npm and this process, which ends without passing it on, and
 * SIGKILL leaves that shell running.
 */
function stopWithNpm() {
  const { parent, pid } = npm;
  const watch = setInterval(() => {
    if (process.ppid === parent && lives(pid)) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 250);
  watch.unref();
}

/** npm's process: this process's parent, or that of the shell in between, whose arguments name this file. */
function findNpm() {
  const parent = process.ppid;
  if (process.platform === 'win32') return { parent, pid: parent };
  const [, grandparent, command = ''] = /^ *(\d+) (.*)/s.exec(describeProcess(parent)) ?? [];
  return { parent, pid: command.includes('launch.mjs') ? Number(grandparent) : parent };
}

/** The parent's id and the arguments. Empty if the process has ended. */
function describeProcess(pid) {
  try {
    // Slim images have no ps. The name in parentheses may contain spaces.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
    return `${parent} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8')}`;
  } catch {
    return spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
}

function lives(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat[stat.lastIndexOf(')') + 2] !== 'Z';
  } catch {
    return true;
  }
}

/** Returns whether node_modules contains the versions of package-lock.json, as npm itself recorded them. */
function installed(withDevelopment) {
  const recorded = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(recorded)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(recorded, 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, optional, devOptional, dev, peer }]) => {
    if (path === '' || present[path]?.version === version) return true;
    // Packages of other platforms, and those that `npm ci --omit=dev` leaves out.
    const mayMiss = optional || devOptional || peer || (dev && !withDevelopment);
    return Boolean(mayMiss) && !present[path];
  });
}

function install() {
  const folder = join(root, 'node_modules');
  // npm ci would empty the folder that the link points to.
  if (existsSync(folder) && lstatSync(folder).isSymbolicLink())
    stop('node_modules is a link and out of date. Run npm ci in the folder it points to.');
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
      `${run.stderr ?? ''}${run.error?.message ?? ''}\n` +
        "The packages couldn't be installed. See the lines above, or run npm ci.",
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
    `Landfall needs Node 24. This is Node ${process.versions.node}. Install Node 24 from https://nodejs.org and retry.`,
  );
}

function major(version) {
  return Number(version.split('.')[0]);
}

function stop(line) {
  process.stderr.write(`${line.trim()}\n`);
  process.exit(1);
}
