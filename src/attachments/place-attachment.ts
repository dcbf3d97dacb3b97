import { endingOf, safeName } from '../files/safe-name.ts'
import type { Attachment } from './list-attachments.ts'

/** How extracted files are laid out, each with a line of help. */
export const LAYOUTS = {
  issue: 'by what they belong to: owner/name/issues/7/picture.png',
  path: 'as in the archive: attachments/5f1c7a52-…/picture.png',
  hash: 'each content once, by its SHA-256: 35/35ded017….png',
} as const

export type Layout = keyof typeof LAYOUTS

/** The folders and the name of an extracted file: safe, and of one depth in a layout, so that no file is a folder. */
export function placeAttachment(attachment: Attachment, layout: Layout): string[] {
  return partsOf[layout](attachment).map(safeName)
}

const partsOf: Record<Layout, (attachment: Attachment) => string[]> = {
  issue(attachment) {
    const { full_name, parent } = attachment
    const [owner, name] = String(full_name ?? '').split('/')
    // Without a repository there is nothing that it could belong to.
    if (!owner || !name) return ['unlinked', 'files', ...inArchive(attachment)]
    const [, subject, of] = SUBJECT.exec(String(parent ?? '')) ?? []
    if (!subject || !of) {
      const [folder, id, file] = inArchive(attachment)
      return [owner, name, folder, id, nameOf(attachment) || file]
    }
    return [owner, name, subject.split('/')[0] as string, of, nameOf(attachment)]
  },
  path: (attachment) => inArchive(attachment),
  hash({ sha256, name, path }) {
    const hash = String(sha256)
    return [hash.slice(0, 2), hash + endingOf(String(name ?? path ?? ''))]
  },
}

const SUBJECT =
  /\/(issues|pull|discussions|commit|releases\/tag)\/([^?#]+?)(?:\/files)?(?:[?#].*)?$/s

const nameOf = ({ name, path }: Attachment): string =>
  String(
    name ||
      String(path ?? '')
        .split('/')
        .at(-1),
  )

/** `attachments`, the id, and the name, which may have had folders before it. */
function inArchive({ path }: Attachment): [string, string, string] {
  const [folder = '', id = '', ...name] = String(path ?? '').split('/')
  return [folder, id, name.join('/')]
}
