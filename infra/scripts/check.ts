import { finish, runSteps, staticSteps, vitestArgs } from './run-steps.ts';

// What a change needs before it is committed: types, lint and every test that needs no store, beside each other.
const tests = { name: 'tests without stores', args: vitestArgs('--project', 'plain*') };
const succeeded = await Promise.all([runSteps([tests]), runSteps(staticSteps)]);
finish('check', succeeded.every(Boolean));
