import pg from 'pg';
import {
  type FoundFunction,
  type FoundRelation,
  type FoundSchema,
  type FoundSequence,
  formatFunction,
  formatRelation,
  formatSchema,
  formatSequence,
} from './format-schema.ts';

/**
 * Returns the end state of all migrations as SQL, read from the catalogs of a migrated database: the embedded
 * PostgreSQL ships no pg_dump. The order is by name, so that two databases with the same schema give the same text.
 * Daily partitions and node-pg-migrate's table are left out.
 */
export async function describeSchema(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'landfall-schema' });
  await client.connect();
  try {
    // With an empty search path PostgreSQL prints every name with its schema.
    await client.query(`begin read only; set local search_path = ''`);
    const extensions = await client.query<{ name: string; schema: string }>(findExtensions);
    const schemas = await client.query<FoundSchema>(findSchemas);
    const sequences = await client.query<FoundSequence>(findSequences);
    const relations = await client.query<FoundRelation>(findRelations);
    const functions = await client.query<FoundFunction>(findFunctions);
    return [
      ...schemas.rows.map(formatSchema),
      ...extensions.rows.map(({ name, schema }) => `create extension ${name} with schema ${schema};\n`),
      ...sequences.rows.map(formatSequence),
      ...relations.rows.map(formatRelation),
      ...functions.rows.map(formatFunction),
    ].join('\n');
  } finally {
    await client.end();
  }
}

/** The owner's own privileges are implied. */
const grantsOf = (acl: string, owner: string) => `
  coalesce((
    select json_agg(json_build_object('role', g.role, 'privileges', g.privileges) order by g.role)
    from (
      select r.rolname::text as role, string_agg(lower(a.privilege_type), ', '
        order by array_position(array['SELECT', 'INSERT', 'UPDATE', 'DELETE'], a.privilege_type)) as privileges
      from aclexplode(${acl}) as a
      join pg_roles as r on r.oid = a.grantee
      where a.grantee <> ${owner}
      group by 1
    ) as g
  ), '[]')`;

const findSchemas = `
  select n.nspname::text as name, obj_description(n.oid, 'pg_namespace') as comment,
    ${grantsOf('n.nspacl', 'n.nspowner')} as grants
  from pg_namespace as n
  where n.nspname in ('landfall', 'auth')
  order by n.nspname desc`;

const findExtensions = `
  select e.extname::text as name, n.nspname::text as schema
  from pg_extension as e
  join pg_namespace as n on n.oid = e.extnamespace
  where n.nspname in ('landfall', 'auth')
  order by e.extname`;

const findSequences = `
  select c.oid::regclass::text as name, format_type(s.seqtypid, null) as type, s.seqcache::text as cache,
    ${grantsOf('c.relacl', 'c.relowner')} as grants
  from pg_class as c
  join pg_sequence as s on s.seqrelid = c.oid
  where c.relnamespace in (select oid from pg_namespace where nspname in ('landfall', 'auth'))
    and not exists (select from pg_depend as d where d.objid = c.oid and d.deptype in ('a', 'i'))
  order by 1`;

const findRelations = `
  select
    c.oid::regclass::text as name,
    c.relpersistence = 'u' as unlogged,
    coalesce(array(select o from unnest(c.reloptions) as o order by o), '{}') as options,
    pg_get_partkeydef(c.oid) as "partitionKey",
    (
      select concat(i.inhparent::regclass, ' ', pg_get_expr(c.relpartbound, c.oid))
      from pg_inherits as i where i.inhrelid = c.oid
    ) as "partitionOf",
    coalesce((
      select json_agg(json_build_object(
        'name', a.attname,
        'type', format_type(a.atttypid, a.atttypmod),
        'collation', case when a.attcollation <> t.typcollation then a.attcollation::regcollation::text end,
        'notNull', a.attnotnull,
        'default', pg_get_expr(d.adbin, d.adrelid)
      ) order by a.attnum)
      from pg_attribute as a
      join pg_type as t on t.oid = a.atttypid
      left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ), '[]') as columns,
    coalesce((
      select json_agg(json_build_object('name', k.conname, 'definition', pg_get_constraintdef(k.oid))
        order by array_position(array['p', 'u', 'f', 'c']::"char"[], k.contype), k.conname)
      from pg_constraint as k
      where k.conrelid = c.oid and k.contype <> 'n' and k.conparentid = 0
    ), '[]') as constraints,
    array(
      select pg_get_indexdef(x.indexrelid)
      from pg_index as x
      join pg_class as i on i.oid = x.indexrelid
      where x.indrelid = c.oid and not i.relispartition
        and not exists (select from pg_constraint as k where k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x'))
      order by i.relname
    ) as indexes,
    array(
      select pg_get_triggerdef(t.oid)
      from pg_trigger as t where t.tgrelid = c.oid and not t.tgisinternal
      order by t.tgname
    ) as triggers,
    c.relrowsecurity as "rowSecurity",
    c.relforcerowsecurity as forced,
    coalesce((
      select json_agg(json_build_object(
        'name', p.polname,
        'command', case p.polcmd when '*' then 'all' when 'r' then 'select' when 'a' then 'insert'
          when 'w' then 'update' else 'delete' end,
        'restrictive', not p.polpermissive,
        'roles', (
          select string_agg(r.rolname, ', ' order by r.rolname) from pg_roles as r where r.oid = any (p.polroles)
        ),
        'using', pg_get_expr(p.polqual, p.polrelid),
        'check', pg_get_expr(p.polwithcheck, p.polrelid)
      ) order by p.polname)
      from pg_policy as p where p.polrelid = c.oid
    ), '[]') as policies,
    ${grantsOf('c.relacl', 'c.relowner')} as grants,
    coalesce((
      select json_agg(json_build_object('role', g.role, 'privileges', g.privilege, 'columns', g.columns)
        order by g.role, g.privilege)
      from (
        select r.rolname::text as role, lower(x.privilege_type) as privilege,
          string_agg(a.attname, ', ' order by a.attnum) as columns
        from pg_attribute as a
        cross join aclexplode(a.attacl) as x
        join pg_roles as r on r.oid = x.grantee
        where a.attrelid = c.oid and a.attnum > 0
        group by 1, 2
      ) as g
    ), '[]') as "columnGrants"
  from pg_class as c
  join pg_namespace as n on n.oid = c.relnamespace
  where n.nspname in ('landfall', 'auth') and c.relkind in ('r', 'p') and c.relname <> 'migrations'
    and not (c.relispartition and c.relname ~ '_[0-9]{8}$')
  order by n.nspname desc, c.relname`;

const findFunctions = `
  select
    pg_get_functiondef(f.oid) as definition,
    f.oid::regprocedure::text as signature,
    case when f.proowner <> n.nspowner then f.proowner::regrole::text end as owner,
    f.proacl is null or exists (select from aclexplode(f.proacl) as a where a.grantee = 0) as "isPublic",
    ${grantsOf('f.proacl', 'f.proowner')} as grants
  from pg_proc as f
  join pg_namespace as n on n.oid = f.pronamespace
  where n.nspname in ('landfall', 'auth')
    and not exists (
      select from pg_depend as d where d.classid = 'pg_proc'::regclass and d.objid = f.oid and d.deptype = 'e'
    )
  order by n.nspname desc, 2`;
