// node test/bench/references/load-with-duckdb.ts archive folder: unpacks an archive there and has DuckDB read it,
// as those do who have no tool for archives. Needs @duckdb/node-api, which is no dependency of this package.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [archive = '', folder = ''] = process.argv.slice(2)
execFileSync('tar', ['xzf', archive, '-C', folder])
const require = createRequire(join(import.meta.dirname, '../../engines/package.json'))
const { DuckDBInstance } = require('@duckdb/node-api')
const connection = await (await DuckDBInstance.create(join(folder, 'bench.duckdb'))).connect()
const kinds = new Set(
  readdirSync(folder).flatMap((name) => /^(\w+)_\d{6}\.json$/.exec(name)?.[1] ?? []),
)
for (const kind of kinds) {
  const files = join(folder, `${kind}_*.json`)
  await connection.run(
    `CREATE TABLE ${kind} AS SELECT * FROM read_json_auto('${files}', union_by_name = true)`,
  )
}
