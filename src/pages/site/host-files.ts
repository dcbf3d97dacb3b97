import type { WrittenFolder } from '../../exporters/written-folder.ts'
import { encodeFile } from '../../files/relative-address.ts'
import { escapeHtml } from '../../http/escape-html.ts'
import type { Pages } from '../open-pages.ts'
import type { SiteLink } from '../page.ts'
import { rewriteLinks } from './rewrite-links.ts'

/** Addresses in one map of a site. */
const MOST = 50_000

/**
 * Files that web hosts and search engines look for: `404.html`, `robots.txt`, and with a base address the map of the
 * site.
 */
export function* hostFiles(
  output: WrittenFolder,
  missing: string,
  base: string | undefined,
): Generator<[file: string, content: Buffer]> {
  // Without it GitHub Pages leaves out files that begin with an underscore.
  yield ['.nojekyll', Buffer.alloc(0)]
  yield ['404.html', Buffer.from(missing)]
  const map = base === undefined ? '' : `Sitemap: ${base}sitemap.xml\n`
  yield ['robots.txt', Buffer.from(`User-agent: *\nDisallow:\n${map}`)]
  if (base === undefined) return
  let part: string[] = []
  let parts = 0
  for (const file of output.files()) {
    if (!file.endsWith('.html') || file === '404.html') continue
    if (part.length === MOST) {
      parts++
      yield [`sitemap-${parts}.xml`, mapOf(part)]
      part = []
    }
    part.push(base + encodeFile(file === 'index.html' ? '' : file))
  }
  if (parts === 0) {
    yield ['sitemap.xml', mapOf(part)]
    return
  }
  yield [`sitemap-${parts + 1}.xml`, mapOf(part)]
  const maps = Array.from(
    { length: parts + 1 },
    (_, i) => `<sitemap><loc>${escapeHtml(`${base}sitemap-${i + 1}.xml`)}</loc></sitemap>\n`,
  )
  yield [
    'sitemap.xml',
    Buffer.from(`${HEAD}<sitemapindex ${SPACE}>\n${maps.join('')}</sitemapindex>\n`),
  ]
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
const SPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

const mapOf = (addresses: readonly string[]): Buffer =>
  Buffer.from(
    `${HEAD}<urlset ${SPACE}>\n${addresses.map((one) => `<url><loc>${escapeHtml(one)}</loc></url>\n`).join('')}</urlset>\n`,
  )

/** The page that a host shows for missing addresses. Its links are absolute, since its address is unknown. */
export async function notFound(
  pages: Pages,
  resolve: (address: string) => SiteLink | undefined,
  base = '/',
): Promise<string> {
  const found = await pages.render('/-/none', new URLSearchParams())
  return 'html' in found ? rewriteLinks(found.html, '404.html', resolve, base) : ''
}

/** Names the one address of a page for search engines. */
export const withCanonical = (html: string, file: string, base: string | undefined): string => {
  if (base === undefined) return html
  const address = base + encodeFile(file === 'index.html' ? '' : file)
  return html.replace(
    '<link rel="icon"',
    () => `<link rel="canonical" href="${escapeHtml(address)}">\n<link rel="icon"`,
  )
}
