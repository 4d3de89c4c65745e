import { finish, runSteps, staticSteps, vitestArgs } from './run-steps.ts';

// The checks to run before a commit: types, lint and every test without a store, in parallel.
const tests = { name: 'tests without stores', args: vitestArgs('--project', 'plain*') };
const succeeded = await Promise.all([runSteps([tests]), runSteps(staticSteps)]);
finish('check', succeeded.every(Boolean));
