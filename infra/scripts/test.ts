import process from 'node:process';
import { finish, runSteps, staticSteps, vitestArgs } from './run-steps.ts';

// Everything that CI runs. With arguments: only the tests that they name.
const args = process.argv.slice(2);
const tests = {
  name: 'tests',
  args: vitestArgs(...(args.length > 0 ? args : ['--project', '!drills'])),
  streams: true,
};
// Many tests wait, so the static checks take time that no test uses.
const succeeded = await Promise.all([runSteps([tests]), runSteps(args.length > 0 ? [] : staticSteps)]);
finish('test', succeeded.every(Boolean));
