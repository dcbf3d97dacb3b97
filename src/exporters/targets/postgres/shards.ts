import { ArchiveError } from '../../../base/errors.ts'
import { quoteName, quoteText } from '../../../database/quote.ts'
import type { ExportTable } from '../../table.ts'
import { columnsOf, createViews, describeTable, schemaTables } from './schema.ts'

/** A server that holds the rows of one shard. */
export interface Shard {
  readonly name: string
  readonly host: string
  readonly port: string
  readonly database: string
  readonly user: string | undefined
}

/** PostgreSQL cuts names after 63 bytes, and each table is named with its shard. */
const NAME = /^[\w.-]{1,20}$/

/**
 * Parses `s1=host1,s2=host2:5433,s3=postgres://user@host3/database`. Parts that an address leaves out are those of
 * `front`, the URL of the server in front.
 *
 * @throws `option-invalid`
 */
export function parseShards(list: string, front: string): Shard[] {
  const base = new URL(front)
  const shards = list.split(',').map((item): Shard => {
    const [, name = '', address = ''] = /^([^=]*)=(.+)$/s.exec(item) ?? []
    const isUrl = /^postgres(?:ql)?:\/\//.test(address)
    const url = isUrl ? address : `postgres://${address}`
    if (!NAME.test(name) || !URL.canParse(url) || new URL(url).hostname === '') {
      const message = `expected shards as in s1=host1,s2=host2:5433, not ${JSON.stringify(hide(item))}`
      throw new ArchiveError('option-invalid', message)
    }
    const { hostname, port, pathname, username } = new URL(url)
    return {
      name,
      host: decodeURIComponent(hostname).replace(/^\[|\]$/g, ''),
      port: port || base.port || '5432',
      database: decodeURIComponent((pathname.length > 1 ? pathname : base.pathname).slice(1)),
      user: decodeURIComponent(username || base.username) || undefined,
    }
  })
  const twice = shards.find(({ name }, i) => shards.findIndex((one) => one.name === name) !== i)
  if (!twice) return shards
  throw new ArchiveError('option-invalid', `two shards are called ${JSON.stringify(twice.name)}`)
}

// It may be an address with a password.
const hide = (item: string) => item.replace(/:[^:@/]*@/, ':***@')

/**
 * The statements for a server in front of several: each table has a partition on each of them, and an export is loaded
 * directly into one of them, with `--shard`.
 */
export function describeFront(schema: string, shards: readonly Shard[]): string {
  const tables = schemaTables()
  const server = ({ name }: Shard) => quoteName(`${schema}@${name}`)
  const remote = (shard: Shard, table: string) =>
    `SERVER ${server(shard)} OPTIONS (schema_name ${quoteText(schema)}, table_name ${quoteText(table)})`
  const local = (shard: Shard, table: string) => quoteName(`${table}@${shard.name}`)
  const partitions = ({ name }: ExportTable) =>
    shards.map(
      (shard) =>
        `CREATE FOREIGN TABLE IF NOT EXISTS ${local(shard, name)} PARTITION OF ${quoteName(name)}
  FOR VALUES IN (${quoteText(shard.name)}) ${remote(shard, name)};`,
    )
  const exported = shards.map(
    (
      shard,
    ) => `CREATE FOREIGN TABLE IF NOT EXISTS ${local(shard, '_exports')} (name text, manifest json)
  ${remote(shard, '_exports')};`,
  )
  const manifests = shards.map(
    (shard) =>
      `SELECT name, manifest, ${quoteText(shard.name)} AS _shard FROM ${local(shard, '_exports')}`,
  )
  return `${[
    'CREATE EXTENSION IF NOT EXISTS postgres_fdw;',
    ...shards.map((shard) => describeServer(server(shard), shard)),
    `CREATE SCHEMA IF NOT EXISTS ${quoteName(schema)};\nSET search_path = ${quoteName(schema)};`,
    ...tables.map((table) =>
      [
        `CREATE TABLE IF NOT EXISTS ${quoteName(table.name)} (\n  ${columnsOf(table).join(',\n  ')}\n) PARTITION BY LIST (_shard);`,
        ...partitions(table),
        ...describeTable(table),
      ].join('\n'),
    ),
    ...exported,
    `CREATE OR REPLACE VIEW _exports AS\n${manifests.join('\nUNION ALL\n')};`,
    ...createViews(tables),
    `DO $$ BEGIN
  EXECUTE format('ALTER DATABASE %I SET enable_partitionwise_aggregate = on', current_database());
END $$;`,
  ].join('\n\n')}\n`
}

function describeServer(server: string, { host, port, database, user }: Shard): string {
  const options = (values: Record<string, string>) =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${quoteText(value)}`)
      .join(', ')
  const place = options({
    host,
    port,
    dbname: database,
    async_capable: 'true',
    fetch_size: '10000',
    batch_size: '1000',
  })
  return [
    `CREATE SERVER IF NOT EXISTS ${server} FOREIGN DATA WRAPPER postgres_fdw\n  OPTIONS (${place});`,
    `CREATE USER MAPPING IF NOT EXISTS FOR CURRENT_USER SERVER ${server}${user === undefined ? '' : ` OPTIONS (${options({ user })})`};`,
    `-- ALTER USER MAPPING FOR CURRENT_USER SERVER ${server} OPTIONS (ADD password '...');`,
  ].join('\n')
}
