import { encodeFile, relativeAddress } from '../../files/relative-address.ts'
import { escapeHtml, unescapeHtml } from '../../http/escape-html.ts'
import type { SiteLink } from '../page.ts'

const TAG = /<(?:a|form|link|script|img|source|video|audio)\b[^>]*>/g
const OWN = / (href|src|action)="(\/[^"]*)"/g

/**
 * Makes the links of a page relative: each names a file. In our HTML every value is escaped and quoted, so a tag ends at the
 * first `>`, and an attribute at the first quote. A link to a page that the site does not have becomes text.
 *
 * @param from the file of the page
 * @param resolve is called with the address of each link, without its fragment
 * @param root where the site is on a web host, for a page that is shown at any address; its links are absolute
 */
export function rewriteLinks(
  html: string,
  from: string,
  resolve: (address: string) => SiteLink | undefined,
  root?: string,
): string {
  return html.replace(TAG, (tag) => {
    let isWords = false
    const rewritten = tag.replace(OWN, (_, name: string, value: string) => {
      const [address = '', fragment] = unescapeHtml(value).split('#')
      const link = resolve(address)
      isWords ||= !link || link.download !== undefined
      if (!link) return ''
      const to =
        root === undefined ? relativeAddress(from, link.file) : root + encodeFile(link.file)
      const target = `${to}${fragment === undefined ? '' : `#${fragment}`}`
      const download = link.download === undefined ? '' : ` download="${escapeHtml(link.download)}"`
      return ` ${name}="${escapeHtml(target)}"${tag.startsWith('<a') ? download : ''}`
    })
    // A picture that must be saved, or that the site lacks, is replaced by its alternative text.
    if (!isWords || !tag.startsWith('<img')) return rewritten
    return `<span class="muted">${/ alt="([^"]*)"/.exec(tag)?.[1] || 'picture'}</span>`
  })
}
