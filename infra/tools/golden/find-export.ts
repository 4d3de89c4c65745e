/** Location of an export, newest first. */
export type ExportPlace = { file: string; name: string };

/** The export in the first of these places that the build under test has. Null: it has none of them. */
export async function findExport<Found>(places: readonly ExportPlace[]): Promise<Found | null> {
  for (const { file, name } of places) {
    const module: Record<string, unknown> = await import(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_MODULE_NOT_FOUND') return {};
      throw error;
    });
    if (module[name] !== undefined) return module[name] as Found;
  }
  return null;
}
