import type { Reference } from '../../reading/markdown/references.ts'

/** Where a link leads. */
export interface Target {
  /** A path of ours, or an address outside. */
  href: string
  /** It leads to another machine. */
  isOutside?: boolean
  /** Its target is not in the archive. */
  isMissing?: boolean
  /** The text to show in place of an address that stands by itself, such as `owner/repo#12`. */
  label?: string
}

/** A picture that is in the archive. */
export interface Picture {
  src: string
  width?: number
  height?: number
}

/** Looks up for the renderer what a text refers to. */
export interface MarkdownContext {
  /** Where an address leads, as it was written. Undefined for one that leads nowhere: it stays text. */
  link(url: string): Target | undefined
  /** The path of what a text refers to. Undefined if it is not there. */
  reference(reference: Reference): string | undefined
  /** The picture at an address, if the archive has it: no other is ever loaded. */
  picture(url: string): Picture | undefined
  /** Render every text in full, however long it takes, so that files are reproducible. */
  isPatient?: boolean
  /** The level of the heading above the text; its own headings begin one below. Default 2. */
  level?: number
  /** Comes before the names of headings, footnotes and anchors, where a page has several texts: `issuecomment-12-`. */
  idPrefix?: string | undefined
}

/** The beginning of all ids of a text, so that none hides one of the page. */
export const idsOf = ({ idPrefix = '' }: MarkdownContext): string => `user-content-${idPrefix}`

/** A context without an archive: links lead outside, and pictures become links. */
export const NOWHERE: MarkdownContext = {
  link: (url) => (/^https?:/i.test(url) ? { href: url, isOutside: true } : undefined),
  reference: () => undefined,
  picture: () => undefined,
}
