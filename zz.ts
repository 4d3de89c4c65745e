import { execSync } from 'node:child_process';
import { openBench } from './test/bench/bench.ts';
import { addDueShipments } from './test/bench/data/due-shipments.ts';
const { bench, close } = await openBench({ rounds: 1, seconds: 1, profileFolder: null, note: console.log });
const url = await bench.newDatabase();
const s = await addDueShipments(url, 4000);
await s.makeDue();
console.log(execSync(`psql '${url}' -f /tmp/gen2.sql`).toString());
await s.close(); await close();
