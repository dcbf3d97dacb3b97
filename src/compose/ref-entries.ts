import type { ArchiveEntry } from '../archive/entry.ts'
import { ArchiveError } from '../base/errors.ts'
import { asBuffer, asBytes, type Bytes, collect } from '../base/streams.ts'
import {
  type BrokenRef,
  createLineSplitter,
  type FoundRef,
  isBrokenRef,
  parseLooseRef,
  parsePackedLine,
} from '../git/parse/parse-refs.ts'
import type { EnforceRule } from '../rules/enforce-rule.ts'
import { LONGEST_REF } from '../rules/ref-name.ts'
import { filesBelow, namesIn } from './list-files.ts'
import { openDiskObjects } from './open-disk-objects.ts'

/**
 * The refs of a bare repository: first loose ones, then packed ones, because Git moves them in that direction. Throws
 * `git-ref-dangling` for a ref whose object is missing, `git-ref-invalid` or `git-refs-damaged` for what Git would refuse, and
 * `ref-like-commit`.
 */
export async function* refEntries(
  directory: string,
  { copy, enforce }: { copy: (path: string) => AsyncGenerator<ArchiveEntry>; enforce: EnforceRule },
): AsyncGenerator<ArchiveEntry> {
  const hasObject = openDiskObjects(directory)
  const check = (ref: FoundRef | BrokenRef, entry: string) => {
    const broken = isBrokenRef(ref) ? ref : isMissing(ref)
    if (broken) throw new ArchiveError(broken.code, broken.wrong, { archive: directory, entry })
    if (!isBrokenRef(ref)) enforceRefName(ref.name, entry, enforce)
  }
  const isMissing = ({ name, oid }: FoundRef) =>
    oid === undefined || hasObject(oid)
      ? undefined
      : { code: 'git-ref-dangling' as const, wrong: `${name} names ${oid}, which is missing` }

  // A loose ref replaces a packed one with its name, whose object may be gone.
  const loose = new Set<string>()
  for await (const path of filesBelow(directory, 'refs')) {
    if (path.endsWith('.lock')) continue
    for await (const entry of copy(path)) {
      // A file that is too long is refused by its beginning.
      const content = await collect(upTo(LONGEST_REF + 1, entry.content))
      check(parseLooseRef(path, content), entry.path)
      loose.add(path)
      yield { ...entry, content: asBytes([content]) }
    }
  }
  if (!(await namesIn(directory, '')).includes('packed-refs')) return
  for await (const entry of copy('packed-refs')) {
    const content = withLines(entry.content, (line) => {
      if (/^(?:[#^]|$)/.test(line)) return
      const ref = parsePackedLine(line)
      if (isBrokenRef(ref) || !loose.has(ref.name)) check(ref, entry.path)
    })
    yield { ...entry, content }
  }
}

/** Enforces `ref-like-commit`. */
export function enforceRefName(name: string, entry: string, enforce: EnforceRule): void {
  if (!/^refs\/(?:heads|tags)\/[0-9a-f]{40}$/.test(name)) return
  enforce('ref-like-commit', { entry }, `a branch or tag must not be named like a commit: ${name}`)
}

/** The same bytes. Calls `note` with each line. */
async function* withLines(
  content: Bytes,
  note: (line: string) => void,
): AsyncGenerator<Uint8Array> {
  const lines = createLineSplitter(LONGEST_REF, (line) => note(line.toString()))
  for await (const chunk of content) {
    lines.see(asBuffer(chunk))
    yield chunk
  }
  lines.end()
}

async function* upTo(limit: number, content: Bytes): AsyncGenerator<Uint8Array> {
  let length = 0
  for await (const chunk of content) {
    length += chunk.length
    yield chunk
    if (length >= limit) return
  }
}
