import { type Attachment, listAttachments } from '../../../attachments/list-attachments.ts'
import type { QueryResult } from '../../../query/run-query.ts'
import { defineCommand } from '../../command/command.ts'
import { FORMAT_OPTIONS, isForPerson, writeRows } from '../../options/format-options.ts'
import { PAGER_OPTION, SOURCE_OPTION } from '../../options/shared-options.ts'
import { formatBytes } from '../../output/quantities.ts'
import { openReadable } from '../../sources/open-readable.ts'

const COLUMNS = [
  'kind',
  'full_name',
  'number',
  'name',
  'media_type',
  'size',
  'sha256',
  'state',
  'copies',
  'parent_kind',
  'parent',
  'user_login',
  'url',
  'path',
] as const satisfies (keyof Attachment)[]

export const list = defineCommand({
  usage: '<source>',
  options: { source: SOURCE_OPTION, pager: PAGER_OPTION, ...FORMAT_OPTIONS },
  examples: [
    ['marc attachments list samples/hello.tar.gz', 'every upload'],
    ['marc attachments list samples/organization.tar.gz --csv', 'as CSV'],
  ],
  async run({ source: named, ...format }, io) {
    isForPerson(format, io) // refuses two formats before anything is read
    const database = await openReadable(named, io)
    try {
      const attachments = listAttachments(database)
      if (isForPerson(format, io)) await writeRows(describeAttachments(attachments), format, io)
      else await writeRows({ columns: COLUMNS, rows: rowsOf(attachments) }, format, io)
      return 0
    } finally {
      database.close()
    }
  },
})

function* rowsOf(attachments: Iterable<Attachment>) {
  for (const attachment of attachments) yield COLUMNS.map((column) => attachment[column])
}

/** Uploads for people: the columns that fit a terminal, without URLs. */
const describeAttachments = (attachments: Iterable<Attachment>): QueryResult => ({
  columns: ['full_name', 'number', 'name', 'media_type', 'size', 'state', 'copies'],
  rows: narrowRows(attachments),
})

function* narrowRows(attachments: Iterable<Attachment>) {
  for (const attachment of attachments) {
    const { full_name, number, name, path, media_type, size, state, copies } = attachment
    const bytes = size === null ? null : formatBytes(size)
    yield [full_name, number, name ?? path, media_type, bytes, state, copies]
  }
}
