/** Elements within a word or line. Programs divide texts into these as they like. */
const INLINE = new Set(['r', 't', 'rPr', 'span', 'a', 'hyperlink', 'ins', 'smartTag'])
/** Empty elements that part words. */
const SPACES = new Set(['br', 'tab', 'cr', 'line-break', 's'])
const NAMED = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" } as const

/** Whether a member of a zip file is a part of an office document (docx, xlsx, odt) that may hold text. */
export const isOfficePart = (name: string): boolean =>
  /^(?:word|xl|ppt|docProps)\/.*\.xml$|^(?:content|meta|styles)\.xml$/.test(name)

/** The text that people see of a part of an office document. */
export const officeText = (xml: string): string =>
  xml
    .replace(/<(?:\/?)(?:[\w-]+:)?([\w-]+)[^<>]*>/g, (tag, name) => {
      if (tag.endsWith('/>')) return SPACES.has(name) ? ' ' : ''
      return INLINE.has(name) ? '' : '\n'
    })
    .replace(
      /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi,
      (all, hex, digits, name) => {
        if (name) return NAMED[name as keyof typeof NAMED] ?? all
        const code = hex ? Number.parseInt(hex, 16) : Number(digits)
        return code <= 0x10ffff ? String.fromCodePoint(code) : all
      },
    )
