import { inWindows } from '../../windows.ts'
import { decodeText } from './encodings.ts'
import { formOf, type Read } from './form-of.ts'
import { openGzip } from './open-gzip.ts'
import { writeTemporaryFile } from './temporary-file.ts'
import { UnreadableError } from './unreadable-error.ts'
import { openZip, type Zip } from './zip.ts'

/** A text, and which member of a zip file it is in; of a name or comment it says so. */
export interface TextIn {
  text: string
  member?: string
}

/**
 * Reads all texts of a content: its own, or those within gzip and zip files, with the names of these. Long texts come in parts
 * that overlap. What cannot be read is passed over.
 */
export async function* textsIn(read: Read): AsyncGenerator<TextIn> {
  try {
    const form = await formOf(read)
    if (form.is === 'gzip') yield* textsInGzip(read)
    else if (form.is === 'zip') yield* textsInZip(read)
    else yield* readAsText(read)
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
  }
}

async function* readAsText(read: Read, member?: string): AsyncGenerator<TextIn> {
  const form = await formOf(read)
  if (form.is !== 'text') return
  yield* inWindows(decodeText(read(), form.encoding), ({ text, until }) => ({
    end: until,
    result: { text, ...(member !== undefined && { member }) },
  }))
}

async function* textsInGzip(read: Read): AsyncGenerator<TextIn> {
  const gzip = await openGzip(read)
  yield { text: gzip.about, member: 'the header of gzip' }
  yield* readAsText(gzip.read)
}

async function* textsInZip(read: Read): AsyncGenerator<TextIn> {
  const file = await writeTemporaryFile(read())
  let zip: Zip | undefined
  try {
    zip = await openZip(file.path, file.size)
    yield { text: zip.comment, member: 'the comment of zip' }
    for (const [i, { name, comment, read }] of zip.members.entries()) {
      const number = i + 1
      yield { text: name, member: `the name of file ${number} in zip` }
      yield { text: comment, member: `the comment of file ${number} in zip` }
      yield* readAsText(read, name)
    }
  } finally {
    zip?.close()
    file.remove()
  }
}
