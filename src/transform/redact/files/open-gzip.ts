import type { ArchiveForm } from '../../../archive/entry.ts'
import { gunzip } from '../../../archive/gzip/gunzip.ts'
import { ArchiveError } from '../../../base/errors.ts'
import { type Form, formOf, headOf, type Read } from './form-of.ts'
import { UnreadableError } from './unreadable-error.ts'
import { EXPANSION } from './zip.ts'

export interface Gzip {
  form: Form
  read: Read
  /** The name and comment in its header. */
  about: string
  /** Whether it holds nothing but its content and what its first header says; known after reading. */
  isPlain(): boolean
}

/** Opens a gzip file. Throws `UnreadableError`, reading as well, if it is damaged or expands too much. */
export async function openGzip(read: Read): Promise<Gzip> {
  const head = await headOf(read)
  const flags = head[3] ?? 0
  let form: ArchiveForm = {}
  let hasMore = (flags & EXTRA) !== 0
  const report = () => {
    hasMore = true
  }
  async function* expanded() {
    form = {}
    try {
      yield* gunzip(read(), { limits: { expansion: EXPANSION }, form, report })
    } catch (error) {
      const { code = '' } = error instanceof ArchiveError ? error : {}
      if (code.startsWith('gzip-')) throw new UnreadableError('damaged gzip')
      if (code.startsWith('limit-')) throw new UnreadableError('gzip that expands too much')
      throw error
    }
  }
  return {
    form: await formOf(expanded),
    read: expanded,
    about: flags & (NAME | COMMENT) ? aboutOf(head, flags) : '',
    isPlain: () => !hasMore && form.members === 1,
  }
}

/** The name and comment, each of which ends in a zero. */
function aboutOf(head: Buffer, flags: number): string {
  const texts = head.toString('latin1', 10).split('\0')
  return texts.slice(0, (flags & NAME ? 1 : 0) + (flags & COMMENT ? 1 : 0)).join('\n')
}

/** Bits of a header. */
const [EXTRA, NAME, COMMENT] = [4, 8, 16]
