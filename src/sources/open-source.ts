import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { ArchiveForm, ArchiveSource } from '../archive/entry.ts'
import { recognizeEntries } from '../archive/foreign-source.ts'
import { explained, type OpenOptions } from '../archive/open-archive.ts'
import { isZipHead, readAnyEntries, readEntries } from '../archive/read-archive.ts'
import { type OpenedReading, openReading } from '../archive-worker/open-reading.ts'
import type { ReadEntry } from '../archive-worker/read-in-worker.ts'
import { recognizeFolder } from '../archive-worker/require-folder.ts'
import { ArchiveError } from '../base/errors.ts'
import { resolveLimits } from '../base/limits.ts'
import { type Bytes, headOf } from '../base/streams.ts'
import { type KeptStream, keepStream } from '../files/keep-stream.ts'
import type { SourceEntry } from './record-files.ts'
import { type Source, type SourceReading, uninterrupted } from './source.ts'
import type { SourceOptions } from './source-options.ts'
import { SOURCES } from './sources.ts'

/** An archive being read, or a foreign source as the archive that it becomes: then its `form` has a `source`. */
export interface OpenedSource extends OpenedReading {
  entries: AsyncGenerator<ReadEntry & SourceEntry>
}

export interface OpenSourceOptions extends OpenOptions {
  /** Whether record files of a source of another form are printed. If not, they have `unprinted` records. Default true. */
  prints?: boolean
}

/**
 * Opens an archive like `openReading`, or a source of another form that can be read as one: its entries are then those of a
 * migration archive. Such a source is read twice: if it is a stream, from a temporary file.
 *
 * @param options what to take a source of another form for; throws `option-invalid` if there are some for an archive
 */
export async function openSource(
  source: ArchiveSource,
  { prints = true, ...input }: OpenSourceOptions,
  options: SourceOptions = {},
): Promise<OpenedSource> {
  const asked = { options, prints }
  return typeof source === 'string'
    ? openPath(source, source, input, asked)
    : openStream(source, input, asked)
}

type Asked = Pick<SourceReading, 'options' | 'prints'>

/** @param named what messages call it */
async function openPath(
  path: string,
  named: string,
  input: OpenOptions,
  asked: Asked,
): Promise<OpenedSource> {
  const found = await formOf(path, input.signal, asked.options, named)
  if (found !== undefined) return openForeign(found, { path, named }, input, asked)
  refuseOptions(asked.options)
  return openReading(path, input)
}

/** An archive is read as it comes, after a look at its first entries. */
function openStream(
  { name, bytes }: Exclude<ArchiveSource, string>,
  input: OpenOptions,
  asked: Asked,
): OpenedSource {
  const form: ArchiveForm = {}
  let opened: OpenedSource | undefined
  async function* entries(): OpenedSource['entries'] {
    const most = resolveLimits(input.limits).extracted
    const kept = keepStream(explained(bytes, name, input.signal), most, input.signal)
    try {
      if (asked.options.form || (await isReadTwice(kept, input.signal))) {
        opened = await openPath(await kept.path(), name, input, asked)
      } else {
        refuseOptions(asked.options)
        opened = await openReading({ name, bytes: kept.read() }, input)
      }
      yield* opened.entries
      Object.assign(form, opened.form)
    } finally {
      await kept.close()
    }
  }
  return {
    name,
    form,
    entries: entries(),
    bytesRead: () => opened?.bytesRead() ?? 0,
    sha256: () => opened?.sha256() ?? '',
  }
}

/** Whether a stream is a zip, whose directory is at its end, or a source of another form. */
async function isReadTwice(kept: KeptStream, signal: AbortSignal | undefined): Promise<boolean> {
  if (isZipHead(await headOf(kept.read({ keep: true }), 4))) return true
  const is = await recognize(
    recognizeEntries(uninterrupted(readEntries(kept.read({ keep: true }), {}), signal)),
  )
  return SOURCES.some((source) => source.is === is)
}

/**
 * The form of a source, as given or as recognized; undefined for an archive.
 *
 * @param named what messages call it
 * @throws `option-invalid` for an option that means nothing for it
 */
export async function formOf(
  path: string,
  signal: AbortSignal | undefined,
  options: SourceOptions,
  named = path,
): Promise<Source | undefined> {
  const { form } = options
  const found = form
    ? SOURCES.find((source) => source.form === form)
    : await findSource(path, signal)
  if (!found) return undefined
  const foreign = OF_SOME.find((name) => options[name] && !found.options.includes(name))
  if (foreign === undefined) return found
  const message = `${foreign}: it means nothing for ${found.is}`
  throw new ArchiveError('option-invalid', message, { archive: named }).about(foreign)
}

/** Options that only some forms have. */
const OF_SOME = SOURCES.flatMap((source) => source.options)

/** Throws `option-invalid` for options that only a source of another form has. */
export function refuseOptions(options: SourceOptions): void {
  const [named] = Object.entries(options).filter(([, value]) => value !== undefined)
  if (!named) return
  const message = `${named[0]}: it is for backups and exports of other programs, and this is none`
  throw new ArchiveError('option-invalid', message).about(named[0])
}

/** The form of a file or folder; undefined for an archive, and for what is neither. */
export async function findSource(
  path: string,
  signal: AbortSignal | undefined,
): Promise<Source | undefined> {
  const stats = await stat(path).catch(() => undefined)
  const is = stats?.isDirectory()
    ? await recognize(recognizeFolder(path, signal))
    : stats?.isFile()
      ? await recognize(recognizeEntries(uninterrupted(readAnyEntries(path), signal)))
      : undefined
  return SOURCES.find((source) => source.is === is)
}

/** The name of the form of a source. Nothing for one that cannot be read or recognized: whoever reads it as an archive gets the reason. */
async function recognize(search: Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await search
  } catch (error) {
    if (error instanceof ArchiveError && error.code !== 'interrupted') return undefined
    throw error
  }
}

function openForeign(
  source: Source,
  { path, named }: { path: string; named: string },
  input: OpenOptions,
  asked: Asked,
): OpenedSource {
  const { limits, report, salvage, signal, hash } = input
  const digest = createHash('sha256')
  let bytesRead = 0
  const name = basename(resolve(named))
  let readings = 0
  const form: ArchiveForm = { container: 'folder', prefix: '', source: source.is }
  const foreign = {
    path: named,
    // Faults of the files themselves are reported once.
    async *entries() {
      const once = readings++ === 0 ? report : undefined
      const reading = { limits, salvage, signal, report: once }
      for await (const entry of readAnyEntries(path, reading, named)) {
        bytesRead += entry.size
        yield entry
      }
    },
    madeBy(version: string) {
      if (VERSION.test(version)) form.source = `${source.is} (${version})`
    },
  }
  const note = (bytes: Uint8Array) => digest.update(bytes)
  async function* entries(): AsyncGenerator<SourceEntry> {
    const read = source.read(foreign, { limits, report, salvage, signal, ...asked })
    for await (const entry of inForm(read, source.is)) {
      const content = inForm(entry.content, source.is)
      if (hash) digest.update(`${entry.path}\0${entry.size}\0`)
      yield { ...entry, content: hash ? noted(content, note) : content }
    }
  }
  return {
    name,
    // Not that of the file: an archive of this size is another one.
    size: undefined,
    form,
    entries: entries(),
    bytesRead: () => bytesRead,
    sha256: () => digest.copy().digest('hex'),
  }
}

const VERSION = /^[\w.-]{1,30}$/

/** Passes pieces on, and adds the form of the source to an error. */
async function* inForm<T>(pieces: AsyncIterable<T>, form: string): AsyncGenerator<T> {
  try {
    yield* pieces
  } catch (error) {
    throw error instanceof ArchiveError ? error.at({ form }) : error
  }
}

async function* noted(bytes: Bytes, note: (bytes: Uint8Array) => void) {
  for await (const piece of bytes) {
    note(piece)
    yield piece
  }
}
