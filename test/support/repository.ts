import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../', import.meta.url));

export function repositoryPath(path: string): string {
  return join(root, path);
}

/** The text of a project file. */
export function fileText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** A YAML file of the project, with `<<` merged. Throws on duplicate keys. */
export function yamlFile<T>(path: string): T {
  return parse(fileText(path), { merge: true, uniqueKeys: true }) as T;
}

export function isInProject(path: string): boolean {
  return existsSync(join(root, path));
}

/** The anchors of a page's headings. */
export function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}
