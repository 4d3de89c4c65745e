/** The processes of an installation, each with the folder of its `main.ts`. The simulator is a tool, not a service. */
export const serviceFolders = {
  api: 'services/api',
  worker: 'services/worker',
  simulator: 'infra/tools/simulator',
} as const;

export type ServiceName = keyof typeof serviceFolders;

/** The program that starts the service, relative to the project's folder. */
export function mainFileOf(name: ServiceName): string {
  return `${serviceFolders[name]}/main.ts`;
}

/**
 * Node arguments for a service; `file` is relative to the project. Telemetry is loaded first. The young generation
 * (MiB) has a fixed size. Without it, streaming an import grows it several times, which costs 80 MB and saves nothing
 * here. Half the size saves a worker 20 MB but makes API reads slower. The limit of the old generation (MiB) is ten
 * times the live objects. V8 lets garbage grow in proportion to the limit. Its default on a large machine is gigabytes,
 * which lets garbage reach four times the live objects.
 */
export function nodeArgumentsOf(file: string): readonly string[] {
  const young = file === mainFileOf('worker') ? 8 : 16;
  return [`--max-semi-space-size=${young}`, '--max-old-space-size=512', '--import', './shared/telemetry/register.ts'];
}

/**
 * Environment of a service: settings of glibc's allocator, which reads them when a process starts. Its defaults keep
 * what large files leave behind: an arena for each thread, and, after the first large block that was given back, blocks
 * of up to 32 MiB in those arenas. Blocks of 128 KiB and more go back to the system here. Smaller ones, such as the
 * 64 KiB that each read of a socket takes, stay: giving those back costs a system call each. Other allocators ignore
 * the variables.
 */
export const allocatorEnvironment = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;
