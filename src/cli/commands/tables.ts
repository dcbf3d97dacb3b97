import { defineCommand } from '../command/command.ts'
import { FORMAT_OPTIONS, isForPerson, writeRows } from '../options/format-options.ts'
import { SOURCE_OPTION } from '../options/shared-options.ts'
import { writeAll } from '../output/write-all.ts'
import { countTables, describeTables } from '../reports/describe-tables.ts'
import { openReadable } from '../sources/open-readable.ts'

export const tables = defineCommand({
  usage: '<source>',
  options: {
    source: SOURCE_OPTION,
    all: { type: 'boolean', alias: 'a', describe: 'List empty tables and the views of lists too' },
    ...FORMAT_OPTIONS,
  },
  examples: [
    ['marc tables samples/hello.tar.gz', 'tables that have rows'],
    ['marc tables samples/organization.tar.gz --all --csv', 'everything, as CSV'],
  ],
  async run({ source: named, all, ...format }, io) {
    const database = await openReadable(named, io)
    try {
      const tables = countTables(database, all === true)
      if (isForPerson(format, io)) {
        await writeAll(io.stdout, describeTables(tables, io))
      } else {
        const rows = tables.map(({ name, type, rows, summary }) => [name, type, rows, summary])
        await writeRows({ columns: ['name', 'type', 'rows', 'summary'], rows }, format, io)
      }
      return 0
    } finally {
      database.close()
    }
  },
})
