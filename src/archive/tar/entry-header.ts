import { asBytes } from '../../streams.ts'
import type { ArchiveEntry, EntryHeader } from '../entry.ts'
import { DEFAULT_LIMITS } from '../limits.ts'
import { normalizePath } from '../normalize-path.ts'
import { readTar } from './read-tar.ts'
import { BLOCK, type HeaderTemplate, type TarMember, tarHeader, templateOf } from './tar-header.ts'

/** Describes the headers of an entry, given their bytes; `last` is the template of an entry before it, which is tried first. */
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
 * Writes the headers of entries, as they were where an entry says so. Headers come from archives and databases that
 * anybody may have made: those that a reader would take for another entry, or for several, are not used.
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

/** Whether these bytes are the headers of this entry for whoever reads them, and nothing else. */
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
    // What is no header at all.
  }
  return false
}
