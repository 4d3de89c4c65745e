import type { CountStore, WindowCount } from './block-limiter.ts';

/** Adds points, 0 to read only, and returns the count and the time left, `nil` where no window has begun. */
const script = `
local points = tonumber(ARGV[1])
if points > 0 then
  redis.call('SET', KEYS[1], 0, 'EX', ARGV[2], 'NX')
  redis.call('INCRBY', KEYS[1], points)
end
return {redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1])}
`;

type Commands = { defineCommand: (name: string, command: { numberOfKeys: number; lua: string }) => void };
type CountCommand = {
  landfallCount: (key: string, points: number, windowS: number) => Promise<[string | null, number]>;
};

/**
 * Counts in Redis. A window begins with its first take and ends with the time to live of its key, so the clocks of the
 * processes do not matter. `client` is an ioredis client that rejects at once while Redis is unavailable.
 */
export function redisCounts(client: object, options: { prefix: string; windowS: number }): CountStore {
  (client as Commands).defineCommand('landfallCount', { numberOfKeys: 1, lua: script });
  const commands = client as CountCommand;
  const count = async (key: string, points: number): Promise<WindowCount | null> => {
    const [consumed, msLeft] = await commands.landfallCount(`${options.prefix}:${key}`, points, options.windowS);
    return consumed === null ? null : { consumed: Number(consumed), msLeft };
  };
  return {
    takePoints: async (key, points) => {
      const taken = await count(key, points);
      if (taken === null) throw new Error('Redis did not keep the count.');
      return taken;
    },
    readCounts: (keys) => Promise.all(keys.map((key) => count(key, 0))),
  };
}
