import { gzip } from '../../../archive/gzip/gzip.ts'
import { asBytes, type Bytes, collect, concat } from '../../../base/streams.ts'
import { inWindows } from '../../windows.ts'
import type { Detector } from '../detect.ts'
import type { Finding } from '../finding.ts'
import {
  noteFinding,
  type Redaction,
  redactName,
  redactPart,
  redactText,
} from '../redact-records.ts'
import { stripMetadata } from '../strip-metadata.ts'
import { decodeText, type Encoding, encodeText } from './encodings.ts'
import { type Form, formOf, type Read } from './form-of.ts'
import { isOfficePart, officeText } from './office-text.ts'
import { openGzip } from './open-gzip.ts'
import { spansAround } from './spans.ts'
import { writeTemporaryFile } from './temporary-file.ts'
import { UnreadableError } from './unreadable-error.ts'
import { type NewMember, openZip, writeZip, type Zip, type ZipMember } from './zip.ts'

/** 1 KiB. */
export const DROPPED = Buffer.alloc(1024, ' ')
DROPPED.write('The content of this file was taken out before the archive was handed on.')
DROPPED.write('\n', 1023)

/** Pictures are held in memory. */
const LONGEST_PICTURE = 32 * 2 ** 20
/** So are parts of office documents. */
const LONGEST_PART = 32 * 2 ** 20

/** The redaction of one file, and what came of it. */
export interface ContentRedaction {
  redaction: Redaction
  /** Where values are said to be: path of the file, and of one within. */
  path: string
  /** Whether members of zip files that are not read stay as they are. */
  keepUnread: boolean
  /** Whether the new content differs from the old one; known at its end. */
  isChanged: boolean
  /** Receives members that are not read, by name and type. */
  noteUnread(name: string, type: string): void
}

/**
 * Takes values out of a content that can be read as a text, picture, gzip or zip file. Throws `UnreadableError` for any other,
 * and one that is damaged, also in the midst of it.
 */
export async function* redactContent(read: Read, work: ContentRedaction): Bytes {
  const form = await formOf(read)
  if (form.is === 'gzip') yield* redactGzip(read, work)
  else if (form.is === 'zip') yield* redactZip(read, work)
  else yield* redactSingle(read, form, work)
}

/** The redaction of a content that has no other contents. */
async function* redactSingle(read: Read, form: Form, work: ContentRedaction): Bytes {
  if (form.is === 'text') yield* redactTexts(read, form.encoding, work)
  else if (form.is === 'picture') yield await stripped(read, form.type, work)
  else throw new UnreadableError(form.type)
}

async function* redactTexts(read: Read, encoding: Encoding, work: ContentRedaction): Bytes {
  const { redaction } = work
  const detect = nearHints(redaction)
  const parts = inWindows(decodeText(read(), encoding), (window) => {
    const { end, text } = redactPart(window, { ...redaction, detect }, noteIn(work))
    work.isChanged ||= text !== window.text.slice(window.from, end)
    return { end, result: text }
  })
  for await (const text of parts) yield encodeText(text, encoding)
}

/** A detector that reads only what is near a hint, as most of a long text is not. */
function nearHints({ detect, findHints }: Redaction): Detector {
  if (!findHints) return detect
  return (text) => {
    const bytes = Buffer.from(text)
    const found: Finding[] = []
    let [at, read] = [0, 0]
    for (const { start, end } of spansAround(findHints(bytes), bytes)) {
      // Places in the text are others than in the bytes.
      at += bytes.toString('utf8', read, start).length
      const span = bytes.toString('utf8', start, end)
      for (const finding of detect(span)) {
        found.push({ ...finding, start: finding.start + at, end: finding.end + at })
      }
      at += span.length
      read = end
    }
    return found
  }
}

const noteIn =
  ({ redaction, path }: ContentRedaction, member = 'content') =>
  (finding: Finding) =>
    noteFinding(redaction.report, finding, { kind: 'files', member }, () => ({
      entry: redactName(path, redaction),
      record: null,
    }))

async function stripped(read: Read, type: string, work: ContentRedaction): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of read()) {
    pieces.push(piece)
    size += piece.length
    if (size > LONGEST_PICTURE) throw new UnreadableError(`${type} above 32 MiB`)
  }
  const content = concat(pieces)
  const drawn = stripMetadata(content)
  if (!drawn) throw new UnreadableError(`damaged ${type}`)
  work.isChanged ||= !drawn.equals(content)
  return drawn
}

async function* redactGzip(read: Read, work: ContentRedaction): Bytes {
  const gz = await openGzip(read)
  if (gz.form.is !== 'text' && gz.form.is !== 'picture') {
    throw new UnreadableError(`${gz.form.type} in gzip`)
  }
  // A name or comment of its own is a text as well.
  const about = redactedWord(gz.about, work, 'path')
  yield* gzip(redactSingle(gz.read, gz.form, work))
  work.isChanged ||= !gz.isPlain() || about !== gz.about
}

async function* redactZip(read: Read, work: ContentRedaction): Bytes {
  const file = await writeTemporaryFile(read())
  let zip: Zip | undefined
  try {
    zip = await openZip(file.path, file.size)
    const redactMember = (member: ZipMember): NewMember => {
      const { name, comment } = member
      const inner = { ...work, path: `${work.path}/${name}`, isChanged: false }
      const now = {
        name: redactedWord(name, inner, 'path'),
        comment: redactedWord(comment, inner, 'comment'),
      }
      work.isChanged ||= now.name !== name || now.comment !== comment
      async function* content() {
        const redacted = redactMemberContent(member, inner)
        if (isOfficePart(name)) yield await withoutDivided(redacted, member, work)
        else yield* redacted
        work.isChanged ||= inner.isChanged
      }
      return { ...now, content }
    }
    const comment = redactedWord(zip.comment, work, 'comment')
    yield* writeZip(zip, comment, redactMember)
    work.isChanged ||= !zip.isPlain || comment !== zip.comment
  } finally {
    zip?.close()
    file.remove()
  }
}

/** The bytes of a part of an office document. Throws `UnreadableError` if a value is left that is divided by markup. */
async function withoutDivided(
  bytes: Bytes,
  { entry }: ZipMember,
  { redaction }: ContentRedaction,
): Promise<Buffer> {
  if (entry.uncompressedSize > LONGEST_PART) throw new UnreadableError('office part above 32 MiB')
  const part = await collect(bytes)
  const read = () => asBytes([part])
  const form = await formOf(read)
  if (form.is !== 'text') return part
  let xml = ''
  for await (const text of decodeText(read(), form.encoding)) xml += text
  if (nearHints(redaction)(officeText(xml)).some(({ doubtful }) => !doubtful)) {
    throw new UnreadableError('office document with divided values')
  }
  return part
}

/** The new content of a file within another. Those within it are not read. */
async function* redactMemberContent({ read }: ZipMember, work: ContentRedaction): Bytes {
  const form = await formOf(read)
  try {
    yield* redactSingle(read, form, work)
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error
    work.noteUnread(work.path, `${error.type} in zip`)
    if (work.keepUnread) return yield* read()
    work.isChanged = true
    yield DROPPED
  }
}

/** A name or comment, which stays one in each mode. */
function redactedWord(text: string, work: ContentRedaction, member: string): string {
  const { redaction } = work
  const asName: Redaction = { ...redaction, mode: 'pseudonym' }
  return redactText(text, asName, noteIn(work, member))
}
