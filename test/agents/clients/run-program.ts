import { execFile } from 'node:child_process';

export type ProgramRun = { exitCode: number | string; stdout: string; stderr: string };

/**
 * Runs a program to its end with only `PATH` and the given variables in its environment. Rejects if the program doesn't
 * exist.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<ProgramRun> {
  const { promise, resolve, reject } = Promise.withResolvers<ProgramRun>();
  const options = { env: { PATH: process.env.PATH ?? '', ...environment }, maxBuffer: 64 * 1024 * 1024 };
  execFile(file, args, options, (error, stdout, stderr) => {
    if (error?.code === 'ENOENT') reject(error);
    else resolve({ exitCode: error === null ? 0 : (error.code ?? error.signal ?? 'unknown'), stdout, stderr });
  });
  return promise;
}
