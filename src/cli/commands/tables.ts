import { countRows, describeDatabase } from '../../query/describe-database.ts'
import { defineCommand } from '../command.ts'
import { FORMAT_OPTIONS, writeRows } from '../format-options.ts'
import { openReadable } from '../open-readable.ts'

export const tables = defineCommand({
  usage: '<database>',
  summary: 'List tables with their numbers of rows, and views',
  options: {
    database: { type: 'string', demandOption: true, describe: 'A database or an archive' },
    all: { type: 'boolean', alias: 'a', describe: 'List empty tables and the views of lists too' },
    ...FORMAT_OPTIONS,
  },
  examples: [
    ['marc tables samples/hello.tar.gz', 'what there is to ask'],
    ['marc tables samples/organization.tar.gz --all --csv', 'everything, as CSV'],
  ],
  async run({ database: named, all, ...format }, io) {
    const database = await openReadable(named, io)
    try {
      const rows = describeDatabase(database)
        .filter(({ listOf }) => all || listOf === undefined)
        .map(({ name, type, summary }) => [name, type, countRows(database, name), summary] as const)
        .filter(([, , count]) => all || count > 0)
      await writeRows({ columns: ['name', 'type', 'rows', 'summary'], rows }, format, io)
      return 0
    } finally {
      database.close()
    }
  },
})
