import process from 'node:process';

/** A measured server's own usage: CPU time since it started, in microseconds, and resident memory, in bytes. */
export type Usage = { type: 'usage'; cpuUs: number; rssBytes: number };

// Loaded into a measured server with `--import`. It answers only when it receives a request.
process.on('message', (message) => {
  if (message !== 'usage') return;
  const { user, system } = process.cpuUsage();
  const usage: Usage = { type: 'usage', cpuUs: user + system, rssBytes: process.memoryUsage.rss() };
  process.send?.(usage);
});
