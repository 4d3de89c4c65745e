import { z } from 'zod';
import type { Operations } from '../operation.ts';
import {
  changeViewBody,
  parseChangeViewBody,
  parseSaveViewBody,
  parseViewParams,
  saveViewBody,
  wireSavedView,
  wireSavedViews,
} from './view-wire.ts';

const viewPath = {
  access: 'session',
  path: '/dashboard/api/saved-views/{view_id}',
  role: 'viewer',
  limit: 'write',
  params: z.object({ view_id: z.string() }),
  parseParams: parseViewParams,
} as const;

/** Named lists of shipments. They belong to people: a program keeps its filters itself. */
export const viewOperations = {
  listSavedViews: {
    access: 'session',
    method: 'GET',
    path: '/dashboard/api/saved-views',
    role: 'viewer',
    limit: 'read',
    answers: { 200: { schema: wireSavedViews } },
  },
  saveView: {
    access: 'session',
    method: 'POST',
    path: '/dashboard/api/saved-views',
    role: 'viewer',
    limit: 'write',
    body: { schema: saveViewBody, parse: parseSaveViewBody },
    answers: { 201: { schema: wireSavedView } },
  },
  changeView: {
    ...viewPath,
    method: 'PATCH',
    body: { schema: changeViewBody, parse: parseChangeViewBody },
    answers: { 200: { schema: wireSavedView } },
  },
  deleteView: { ...viewPath, method: 'DELETE', answers: { 204: {} } },
} as const satisfies Operations;
