import type { z } from 'zod';
import type { LimitClass } from '#shared/domain/keys/limits.ts';
import type { Role } from '#shared/domain/people/role.ts';

/**
 * Who may: `anyone`; who is signed in; who is at least this in the account of the request; `operator`: an owner of the first account, who runs
 * the installation.
 */
export type DashboardAccess = 'anyone' | 'signed_in' | Role | 'operator';

/** One method of one address under /dashboard/api that only the dashboard calls: routed, guarded and tested from here. */
export type DashboardOperation = {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** As in OpenAPI: `/dashboard/api/members/{member_id}`. */
  path: string;
  access: DashboardAccess;
  limit: LimitClass;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** 204 without a body when absent. */
  answer?: z.ZodType;
  /** 201 where something is made; default 200. */
  status?: 200 | 201;
};
