import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// The whole check in the order of what fails fastest: types, style with import rules, then every test.
const root = fileURLToPath(new URL('../../', import.meta.url));
const args = process.argv.slice(2);
const steps: [name: string, command: string[]][] = [
  ['types', ['node_modules/typescript/bin/tsc', '-p', '.']],
  ['types of the dashboard', ['node_modules/typescript/bin/tsc', '-p', 'services/dashboard']],
  ['lint and import rules', ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings']],
  ['tests', ['node_modules/vitest/vitest.mjs', 'run', ...args]],
];

for (const [name, command] of args.length > 0 ? steps.slice(-1) : steps) {
  const started = Date.now();
  const result = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
  const took = ((Date.now() - started) / 1000).toFixed(1);
  if (result.status !== 0) {
    process.stdout.write(`✗ ${name} failed after ${took} s\n`);
    process.exit(result.status ?? 1);
  }
  process.stdout.write(`✓ ${name} (${took} s)\n`);
}
