import type { Relation } from '../../database/schema/relation.ts'
import { describeDatabase } from '../../query/describe-database.ts'
import { defineCommand } from '../command/command.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import { UsageError } from '../command/usage-error.ts'
import { FORMAT_OPTIONS, isForPerson, writeRows } from '../options/format-options.ts'
import { SOURCE_OPTION } from '../options/shared-options.ts'
import { writeAll } from '../output/write-all.ts'
import { describeSchema } from '../reports/describe-schema.ts'
import { openReadable } from '../sources/open-readable.ts'

export const schema = defineCommand({
  usage: '<source> [name]',
  options: {
    source: SOURCE_OPTION,
    name: { type: 'string', describe: 'A table or view' },
    ...FORMAT_OPTIONS,
  },
  examples: [
    ['marc schema samples/hello.tar.gz issues', 'the columns of issues'],
    ['marc schema samples/hello.tar.gz --format markdown', 'all tables, as Markdown'],
  ],
  async run({ source: named, name, ...format }, io) {
    const database = await openReadable(named, io)
    try {
      const relations = chosen(describeDatabase(database), name)
      if (isForPerson(format, io)) {
        await writeAll(io.stdout, describeSchema(relations, io))
        return 0
      }
      const rows = relations.flatMap((relation) =>
        relation.columns.map(({ name, type, description, refersTo, generated }) => [
          relation.name,
          name,
          type || null,
          generated === undefined ? 'stored' : 'derived',
          refersTo?.join(', ') ?? null,
          description,
        ]),
      )
      const columns = ['table', 'column', 'type', 'kind', 'refers_to', 'description']
      await writeRows({ columns, rows }, format, io)
      return 0
    } finally {
      database.close()
    }
  },
})

function chosen(relations: Relation[], name: string | undefined): Relation[] {
  if (name === undefined) return relations
  const found = relations.filter((relation) => relation.name === name)
  if (found.length > 0) return found
  const names = relations.map((relation) => relation.name)
  const hint = didYouMean(name, names) ?? 'List them with: marc tables <database>'
  throw new UsageError(`there is no table ${JSON.stringify(name)}`, hint)
}
