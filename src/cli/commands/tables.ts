import { defineCommand } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { FORMAT_OPTIONS, isForPerson, writeRows } from '../options/format-options.ts'
import { SOURCE_OPTION } from '../options/shared-options.ts'
import { writeAll } from '../output/write-all.ts'
import { type CountedTable, countTables, describeTables } from '../reports/describe-tables.ts'
import { areDatasets } from '../sources/expand-sources.ts'
import { openReadable } from '../sources/open-readable.ts'

export const tables = defineCommand({
  usage: '<source>',
  options: {
    source: {
      ...SOURCE_OPTION,
      describe:
        'An archive, a folder, a database, a dataset of marc export, or - for standard input',
    },
    all: { type: 'boolean', alias: 'a', describe: 'List empty tables and the views of lists too' },
    ...FORMAT_OPTIONS,
  },
  examples: [
    ['marc tables samples/hello.tar.gz', 'tables that have rows'],
    ['marc tables samples/organization.tar.gz --all --csv', 'everything, as CSV'],
  ],
  async run({ source: named, all, ...format }, io) {
    const tables = await tablesOf(named, all === true, io)
    if (isForPerson(format, io)) {
      await writeAll(io.stdout, describeTables(tables, io))
    } else {
      const rows = tables.map(({ name, type, rows, summary }) => [name, type, rows, summary])
      await writeRows({ columns: ['name', 'type', 'rows', 'summary'], rows }, format, io)
    }
    return 0
  },
})

async function tablesOf(named: string, all: boolean, io: Io): Promise<CountedTable[]> {
  if (areDatasets([named])) {
    return (await import('../shell/dataset-source.ts')).datasetSource([named]).count(all)
  }
  const database = await openReadable(named, io)
  try {
    return countTables(database, all)
  } finally {
    database.close()
  }
}
