// node test/bench/references/copy-with-psql.ts folder url: loads a dataset of CSV files by psql's \\copy, as one would
// without an exporter: into plain tables, whose lists are JSON. Needs psql.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { quoteName, quoteText } from '../../../src/database/quote.ts'
import type { ExportColumn } from '../../../src/exporters/column-types.ts'
import { datasetTables } from '../../../src/exporters/ddl/dataset-views.ts'
import { postgres } from '../../../src/exporters/ddl/engine.ts'

const [folder = '', url = ''] = process.argv.slice(2)
const typeOf = ({ type }: ExportColumn) => (type.is === 'list' ? 'jsonb' : postgres.type(type))
const script = datasetTables([]).flatMap(({ name, columns }) => {
  const partitions = join(folder, `kind=${name}`)
  if (!existsSync(partitions)) return []
  const written = columns.filter((column) => column.name !== '_record')
  const list = written.map((column) => `${quoteName(column.name)} ${typeOf(column)}`)
  return [
    `CREATE TABLE ${quoteName(name)} (${list.join(', ')});`,
    ...readdirSync(partitions).map((partition) => {
      const file = quoteText(join(partitions, partition, 'data.csv'))
      return `\\copy ${quoteName(name)} FROM ${file} WITH (FORMAT csv, HEADER)`
    }),
  ]
})
const start = [
  'SET client_min_messages = warning;',
  'DROP SCHEMA IF EXISTS plain CASCADE; CREATE SCHEMA plain; SET search_path = plain;',
]
execFileSync('psql', [url, '-q', '-X', '-v', 'ON_ERROR_STOP=1'], {
  input: [...start, ...script].join('\n'),
  stdio: ['pipe', 'ignore', 'inherit'],
})
