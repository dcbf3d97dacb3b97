import type { Header } from 'tar-stream'
import { ArchiveError } from '../errors.ts'
import type { Bytes } from '../streams.ts'
import { decompress } from './decompress.ts'
import type { ArchiveEntry, ArchiveForm, ReadOptions } from './entry.ts'
import { type Limits, resolveLimits } from './limits.ts'
import { normalisePath } from './normalise-path.ts'
import { readTar } from './read-tar.ts'
import { stripTopFolder } from './strip-top-folder.ts'

/**
 * Streams the entries of a tar or tar.gz, in the archive's own order and in bounded memory. Paths are
 * normalised; links and devices are left out and reported (`entry-type`).
 * Throws `ArchiveError`: `not-an-archive`, `gzip-…`, `tar-…`, `path-hostile`, `limit-…`.
 */
export function readArchive(
  archive: Bytes,
  options: ReadOptions = {},
): AsyncGenerator<ArchiveEntry> {
  return stripTopFolder(readEntries(archive, options), options.form)
}

async function* readEntries(archive: Bytes, options: ReadOptions): AsyncGenerator<ArchiveEntry> {
  const limits = resolveLimits(options.limits)
  let entries = 0
  for await (const { header, content } of readTar(decompress(archive, options))) {
    options.signal?.throwIfAborted()
    if (++entries > limits.entries) {
      throw new ArchiveError('limit-entries', `more than ${limits.entries} entries`)
    }
    checkExtendedHeader(header, limits)
    const directory = header.type === 'directory'
    const path = normalisePath(header.name, directory, limits)
    noteForm(options.form, header)
    if (path === '') continue
    if (!directory && header.type !== 'file' && header.type !== 'contiguous-file') {
      const message = `a ${header.type ?? 'entry of unknown type'} was left out`
      options.report?.({ code: 'entry-type', place: { entry: path }, message })
      continue
    }
    const { size, mode, mtime } = header
    yield { path, size: directory ? 0 : size, modifiedAt: mtime ?? new Date(0), mode, content }
  }
}

function checkExtendedHeader({ name, linkname, pax }: Header, limits: Limits): void {
  const values = [name, linkname ?? '', ...Object.values(pax ?? {}).map(String)]
  const bytes = values.reduce((sum, value) => sum + Buffer.byteLength(value), 0)
  if (bytes > limits.header) {
    throw new ArchiveError(
      'limit-header',
      `an extended header of ${bytes} bytes; at most ${limits.header} are read`,
    )
  }
}

function noteForm(form: ArchiveForm | undefined, header: Header): void {
  if (!form) return
  form.prefix ??= header.name.startsWith('./') ? './' : ''
  form.directories ||= header.type === 'directory'
  if (header.pax) form.dialect = 'pax'
}
