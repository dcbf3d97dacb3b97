import type { Attachment } from '../../attachments/list-attachments.ts'
import type { QueryResult } from '../../query/run-query.ts'
import { formatBytes } from '../output/quantities.ts'

/** Uploads as a person reads them: what fits beside each other, and no addresses. */
export const describeAttachments = (attachments: Iterable<Attachment>): QueryResult => ({
  columns: ['full_name', 'number', 'name', 'media_type', 'size', 'state', 'copies'],
  rows: rowsOf(attachments),
})

function* rowsOf(attachments: Iterable<Attachment>) {
  for (const attachment of attachments) {
    const { full_name, number, name, path, media_type, size, state, copies } = attachment
    const bytes = size === null ? null : formatBytes(size)
    yield [full_name, number, name ?? path, media_type, bytes, state, copies]
  }
}
