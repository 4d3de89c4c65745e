import process from 'node:process';
import { finish, runSteps, staticSteps, vitestArgs } from './run-steps.ts';

// Everything that CI runs. With arguments: only the tests that they name.
const args = process.argv.slice(2);
const tests = {
  name: 'tests',
  args: vitestArgs(...(args.length > 0 ? args : ['--project', '!drills'])),
  streams: true,
};
finish('test', await runSteps(args.length > 0 ? [tests] : [...staticSteps, tests]));
