import { join } from 'node:path';
import { documentText, landfallDocument } from '#services/api/docs/build-openapi.ts';
import { projectFolder } from '../data-folder.ts';

export type GeneratedFile = { path: string; text: string };

/** Generated from the operations and kept in the repository: the OpenAPI document. */
export function openApiFiles(): GeneratedFile[] {
  return [{ path: join(projectFolder, 'test', 'snapshots', 'openapi.json'), text: documentText(landfallDocument()) }];
}
