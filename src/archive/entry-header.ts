import { DEFAULT_LIMITS } from '../base/limits.ts'
import { asBytes } from '../base/streams.ts'
import type { ArchiveEntry, EntryHeader } from './entry.ts'
import { normalizePath } from './normalize-path.ts'
import { readTar } from './tar/read-tar.ts'
import {
  BLOCK,
  type HeaderTemplate,
  type TarMember,
  tarHeader,
  templateOf,
} from './tar/tar-header.ts'

/** Describes the headers of an entry from their bytes. Tries `last`, the template of the previous entry, first. */
export function describeHeader(
  head: Buffer,
  member: TarMember,
  last: HeaderTemplate | undefined,
): EntryHeader {
  const makes = (template: HeaderTemplate) => tarHeader(member, template).equals(head)
  if (last !== undefined && makes(last)) return { template: last }
  const template = templateOf(head.subarray(-BLOCK))
  return makes(template) ? { template } : { template, whole: new Uint8Array(head) }
}

/**
 * Writes the headers of entries, as loaded if an entry has them. Loaded headers are untrusted: they are not used if a reader
 * would take them for another entry, or for several.
 */
export function createHeaderWriter(): (
  entry: Omit<ArchiveEntry, 'content'>,
  member: TarMember,
) => Promise<Buffer> {
  const known = new Map<HeaderTemplate, boolean>()
  const isSafe = async (template: HeaderTemplate, name: string): Promise<boolean> => {
    const key = `${name.endsWith('/')} ${template}`
    const safe = known.get(key) ?? (await isHeaderOf(probe(template, name), probed(name)))
    known.set(key, safe)
    return safe
  }
  return async ({ header }, member) => {
    if (header?.whole && (await isHeaderOf(header.whole, member))) return Buffer.from(header.whole)
    const template = header?.template
    const isUsable = template !== undefined && (await isSafe(template, member.name))
    return tarHeader(member, isUsable ? template : undefined)
  }
}

const probed = (name: string): TarMember => {
  const isDirectory = name.endsWith('/')
  const size = isDirectory ? 0 : 7
  return { name: isDirectory ? 'a/' : 'a', size, mode: 0o644, modifiedAt: new Date(0) }
}

const probe = (template: HeaderTemplate, name: string) => tarHeader(probed(name), template)

/** Whether every reader takes these bytes for the headers of this entry, and nothing else. */
async function isHeaderOf(bytes: Uint8Array, { name, size }: TarMember): Promise<boolean> {
  const isDirectory = name.endsWith('/')
  try {
    for await (const { header, head } of readTar(asBytes([bytes]), undefined, { headers: true })) {
      const isOfType = isDirectory
        ? header.type === 'directory'
        : header.type === 'file' || header.type === 'contiguous-file'
      const pathOf = (named: string) => normalizePath(named, isDirectory, DEFAULT_LIMITS)
      const isOfPath = pathOf(header.name) === pathOf(name)
      return head?.length === bytes.length && isOfType && isOfPath && header.size === size
    }
  } catch {
    // Not a header at all.
  }
  return false
}
